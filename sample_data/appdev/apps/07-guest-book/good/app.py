"""The museum's guest book."""

import os
import sqlite3
from pathlib import Path

from flask import Flask, redirect, render_template, request, url_for

FILE = Path(__file__).with_name("book.sqlite")
app = Flask(__name__)


def open_book():
    book = sqlite3.connect(FILE)
    book.execute("CREATE TABLE IF NOT EXISTS entry (id INTEGER PRIMARY KEY, name TEXT, message TEXT)")
    return book


@app.get("/")
def show():
    with open_book() as book:
        entries = book.execute("SELECT name, message FROM entry ORDER BY id DESC").fetchall()
    return render_template("book.html", entries=entries, fault=request.args.get("fault"))


@app.post("/entries")
def sign():
    name, message = request.form.get("name", "").strip(), request.form.get("message", "").strip()
    if not message:
        return redirect(url_for("show", fault="A message is needed"))
    with open_book() as book:
        book.execute("INSERT INTO entry (name, message) VALUES (?, ?)", (name or "Somebody", message))
        book.commit()
    return redirect(url_for("show"))


if __name__ == "__main__":
    app.run(host="0.0.0.0", port=int(os.environ.get("PORT", "8000")))
