import { createRoot } from "react-dom/client";
import Board from "./Board.jsx";
import "./board.css";

createRoot(document.querySelector("#root")).render(<Board />);
