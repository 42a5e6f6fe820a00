import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { html as staticHtml, unsafeStatic } from 'lit/static-html.js';
import { PLANTS, type Plant } from './plants';

const TIP = '<strong>Tip:</strong> yellow leaves mean <em>less</em> water.';
const heading = unsafeStatic('h2');

/** A list with anything in its items. */
function list<Item>(items: Item[], item: (item: Item) => TemplateResult): TemplateResult {
  return html`<ul class="list">
    ${items.map((each) => html`<li class="cell">${item(each)}</li>`)}
  </ul>`;
}

export class GlassHouse extends LitElement {
  static override properties = { thirsty: { state: true } };
  static override styles = css`
    :host { display: grid; grid-template-columns: minmax(0, 1fr) 17rem; gap: 1.5rem; }
    .list { display: grid; grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); gap: 1rem; margin: 0; padding: 0; list-style: none; }
    aside { display: grid; gap: 0.9rem; align-content: start; padding: 1.1rem; background: var(--card); border: 1px solid var(--rule); border-radius: 16px; }
    h2, p { margin: 0; }
    h2 { font-size: 1.05rem; }
    .tip { color: var(--soft); font-size: 0.92rem; }
    .all { padding: 0.45rem 1rem; color: var(--accent); font: inherit; font-weight: 600; background: none; border: 1.5px solid var(--accent); border-radius: 999px; cursor: pointer; }
    .done { color: var(--accent); font-weight: 600; }
    @media (max-width: 50rem) { :host { grid-template-columns: minmax(0, 1fr); } }
  `;
  declare thirsty: string[];

  constructor() {
    super();
    this.thirsty = PLANTS.filter(({ days }) => days > 3).map(({ id }) => id);
  }

  override render() {
    return html`
      <section class="plants" aria-label="Plants">${list(PLANTS, (plant) => this.card(plant))}</section>
      <aside>
        ${staticHtml`<${heading} class="today">Today</${heading}>`}
        <water-meter litres=${this.thirsty.length * 0.4}></water-meter>
        ${
          this.thirsty.length > 0
            ? html`<button type="button" class="all" @click=${this.waterAll}>Water all ${this.thirsty.length}</button>`
            : html`<p class="done">All watered.</p>`
        }
        <p class="tip">${unsafeHTML(TIP)}</p>
        <slot name="note"></slot>
      </aside>
    `;
  }

  private card(plant: Plant) {
    const thirsty = this.thirsty.includes(plant.id);
    return html`<plant-card
      .plant=${plant}
      ?thirsty=${thirsty}
      @water=${() => this.water(plant)}
    >
      ${thirsty ? html`<span class="badge">thirsty</span>` : nothing}
    </plant-card>`;
  }

  private water({ id }: Plant) {
    this.thirsty = this.thirsty.filter((each) => each !== id);
  }

  private waterAll() {
    this.thirsty = [];
  }
}

customElements.define('glass-house', GlassHouse);
