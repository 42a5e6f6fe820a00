import { css, html, LitElement, svg } from 'lit';
import type { Plant } from './plants';

/** A leaf on each side of a stem, the higher the smaller. */
const leaf = (at: number) => svg`
  <path class="leaf" d="M50 ${90 - at * 18} q ${at % 2 ? 26 : -26} -18 ${at % 2 ? 34 : -34} -2 q ${at % 2 ? -18 : 18} 14 ${at % 2 ? -34 : 34} 2" />
`;

export class PlantCard extends LitElement {
  static override properties = { plant: { attribute: false }, thirsty: { type: Boolean } };
  static override styles = css`
    article { overflow: hidden; background: var(--card); border: 1px solid var(--rule); border-radius: 16px; }
    svg { display: block; width: 100%; height: 110px; background: light-dark(hsl(var(--hue) 45% 92%), hsl(var(--hue) 20% 20%)); }
    .leaf { fill: light-dark(hsl(var(--hue) 40% 42%), hsl(var(--hue) 40% 62%)); }
    .stem { stroke: light-dark(hsl(var(--hue) 30% 36%), hsl(var(--hue) 30% 54%)); stroke-width: 2; }
    .body { display: grid; gap: 0.2rem; padding: 0.9rem 1rem 1rem; }
    h3, p { margin: 0; }
    small, p { color: var(--soft); }
    footer { display: flex; align-items: center; justify-content: space-between; margin-top: 0.6rem; }
    button { padding: 0.3rem 0.9rem; color: var(--accent); font: inherit; font-weight: 600; background: none; border: 1.5px solid var(--accent); border-radius: 999px; cursor: pointer; }
  `;
  declare plant: Plant;
  declare thirsty: boolean;

  override render() {
    const { name, latin, room, days, hue } = this.plant;
    return html`
      <article style="--hue: ${hue}">
        <svg viewBox="0 0 100 100" aria-hidden="true">
          <line class="stem" x1="50" y1="100" x2="50" y2="16" />
          ${[1, 2, 3, 4].map(leaf)}
        </svg>
        <div class="body">
          <h3>${name}</h3>
          <small><i>${latin}</i></small>
          <p class="room">${room}, ${days} days ago</p>
          <footer>
            <button type="button" @click=${() => this.dispatchEvent(new Event('water'))}>Water</button>
            <slot></slot>
          </footer>
        </div>
      </article>
    `;
  }
}

customElements.define('plant-card', PlantCard);
