import { render } from "preact";
import { takeToken } from "./api";
import { App } from "./app";
import { guardTexts } from "./text";
import "./style.css";

takeToken();
guardTexts();
const root = document.getElementById("app");
if (root) render(<App />, root);
