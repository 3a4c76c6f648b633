"""Small applications of every kind, and boxes to bring them to life in."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager

from crucible.domains.web.deploying import Deployed, deploy
from crucible.domains.web.rubric import Surface
from crucible.domains.web.world import app_env
from crucible.judging.applications import Applications
from crucible.sandbox import Networks, World

Files = Mapping[str, str]
NO_NETWORKS = Networks()

PAGE = "<!doctype html><title>Notes</title><h1>Notes</h1><script src='app.js'></script>"
NODE_SERVER = """const http = require("http");
http.createServer((request, answer) => {
  answer.setHeader("Content-Type", "text/html"); answer.end("<h1>Hello</h1>");
}).listen(%s);
"""
PYTHON_SERVER = """import http.server, time
time.sleep(%s)
http.server.ThreadingHTTPServer((%r, %d), http.server.SimpleHTTPRequestHandler).serve_forever()
"""
EXPRESS = """import express from "express";
const app = express();
app.get("/", (request, answer) => answer.send("<h1>Express</h1>"));
app.listen(3456, () => console.log("listening"));
"""
FLASK = "from flask import Flask\napp = Flask(__name__)\n\n@app.get('/')\ndef home():\n    return '<h1>Flask</h1>'\n"
FASTAPI = (
    "from fastapi import FastAPI\n\napp = FastAPI()\n\n@app.get('/items')\ndef items() -> list[str]:\n    return []\n"
)


def package(**fields: object) -> str:
    """A package.json."""
    return json.dumps({"name": "application", "private": True, **fields})


VITE: Files = {
    "package.json": package(
        type="module",
        scripts={"dev": "vite", "build": "vite build", "preview": "vite preview"},
        dependencies={"react": "^19.0.0", "react-dom": "^19.0.0"},
        devDependencies={"vite": "^7.0.0", "@vitejs/plugin-react": "^5.0.0"},
    ),
    "vite.config.js": 'import react from "@vitejs/plugin-react";\nexport default { plugins: [react()] };\n',
    "index.html": '<!doctype html><div id="root"></div><script type="module" src="/src/main.jsx"></script>',
    "src/main.jsx": 'import { createRoot } from "react-dom/client";\n'
    'createRoot(document.getElementById("root")).render(<h1>Vite</h1>);\n',
}


@asynccontextmanager
async def open_application(
    world: World, files: Files, surface: Surface = "page", networks: Networks = NO_NETWORKS
) -> AsyncIterator[Applications]:
    """A box that holds these files."""
    env = app_env(surface).model_copy(update={"networks": networks})
    async with world.open(env, phase="serving") as box:
        for path, text in files.items():
            await box.write(path, text.encode())
        async with AsyncExitStack() as stack:
            yield Applications(box, stack)


async def deploy_files(world: World, files: Files, surface: Surface = "page") -> Deployed:
    """What becomes of these files in a box of their own."""
    async with open_application(world, files, surface) as applications:
        return await deploy(applications, surface)
