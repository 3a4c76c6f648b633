import { useEffect, useState } from "react";

const KEY = "shooting-board";
const COLUMNS = ["To do", "Doing", "Done"];

function loadCards() {
  return JSON.parse(localStorage.getItem(KEY) ?? "[]");
}

export default function Board() {
  const [cards, setCards] = useState(loadCards);
  const [title, setTitle] = useState("");
  useEffect(() => localStorage.setItem(KEY, JSON.stringify(cards)), [cards]);

  function addCard(event) {
    event.preventDefault();
    if (!title.trim()) return;
    setCards([...cards, { id: crypto.randomUUID(), title: title.trim(), column: 0 }]);
    setTitle("");
  }

  const move = (id) => setCards(cards.map((card) => (card.id === id ? { ...card, column: card.column + 1 } : card)));
  const remove = (id) => setCards(cards.filter((card) => card.id !== id));

  return (
    <main>
      <h1>Shooting board</h1>
      <form onSubmit={addCard}>
        <label htmlFor="title">New card</label>
        <div className="line">
          <input id="title" type="text" autoComplete="off" value={title} onChange={(event) => setTitle(event.target.value)} />
          <button className="primary" type="submit">Add card</button>
        </div>
      </form>
      <div className="columns">
        {COLUMNS.map((name, column) => (
          <section key={name} aria-label={name}>
            <h2>{name}</h2>
            <ul>
              {cards.filter((card) => card.column === column).map((card) => (
                <li key={card.id}>
                  <p>{card.title}</p>
                  <div className="line">
                    {column < COLUMNS.length - 1 && <button type="button" onClick={() => move(card.id)}>Move on</button>}
                    <button type="button" onClick={() => remove(card.id)}>Delete</button>
                  </div>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </main>
  );
}
