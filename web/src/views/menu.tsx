// A menu with its items, and what tells its role.
import { useId, useState } from "preact/hooks";
import { Said, Sure, useDecide } from "../parts";
import { Link } from "../router";
import type { MenuRow } from "../shapes";
import { plural } from "../text";
import { menuName, reason } from "../words";

const ROLES = ["main", "local", "footer", "language", "version", "pager", "breadcrumb", "toc", "organisation", "other"];
const FIRST = 12;

export function MenuCard({ menu }: { menu: MenuRow }) {
  const [isOpen, setOpen] = useState(false);
  const [decide, said] = useDecide();
  const id = useId();
  const items = isOpen ? menu.items : menu.items.slice(0, FIRST);
  return (
    <section class="card">
      <h2>
        {menuName(menu.role)} <span class="muted">on {plural(menu.pages, "page")}</span>
      </h2>
      <ul class="items">
        {items.map((item, place) => (
          <li key={place} class={`level${Math.min(item.level, 3)}`}>
            {item.page ? <Link to={`/page/${item.page}`}>{item.label || item.url}</Link> : item.label || item.url}
          </li>
        ))}
      </ul>
      {menu.items.length > FIRST ? (
        <button type="button" class="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Fewer" : `All ${menu.items.length}`}
        </button>
      ) : null}
      <p class="muted path" title="Where it stands on the pages">
        {menu.signature}
      </p>
      <p class="line">
        <label for={id}>Role</label>
        <select id={id} value={menu.role} onChange={(event) => void decide("menu-role", menu.menu, event.currentTarget.value)}>
          {ROLES.map((role) => (
            <option key={role} value={role}>
              {menuName(role)}
            </option>
          ))}
        </select>
        <Sure value={menu.role_confidence} inWords />
      </p>
      <p class="muted">Because {reason(menu.reason)}.</p>
      <Said text={said} />
    </section>
  );
}
