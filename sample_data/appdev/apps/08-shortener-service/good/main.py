"""Short addresses for leaflets."""

import os
import secrets

import uvicorn
from fastapi import FastAPI, HTTPException
from fastapi.responses import RedirectResponse
from pydantic import BaseModel

app = FastAPI(title="Short addresses")
links: dict[str, dict] = {}


class NewLink(BaseModel):
    url: str


def find(code: str) -> dict:
    if code not in links:
        raise HTTPException(404, "no such code")
    return links[code]


@app.get("/")
def describe() -> dict:
    return {"service": "short addresses", "links": len(links)}


@app.post("/links", status_code=201)
def shorten(new: NewLink) -> dict:
    if not new.url.startswith(("http://", "https://")):
        raise HTTPException(400, "an address begins with http:// or https://")
    code = secrets.token_hex(4)
    links[code] = {"code": code, "url": new.url, "visits": 0}
    return links[code]


@app.get("/links/{code}")
def look_up(code: str) -> dict:
    return find(code)


@app.get("/go/{code}")
def follow(code: str) -> RedirectResponse:
    link = find(code)
    link["visits"] += 1
    return RedirectResponse(link["url"])


if __name__ == "__main__":
    uvicorn.run(app, host="0.0.0.0", port=int(os.environ.get("PORT", "8000")))
