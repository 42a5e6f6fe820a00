/** How much water today takes. A plain custom element. */
export class WaterMeter extends HTMLElement {
  static observedAttributes = ['litres'];
  private readonly root = this.attachShadow({ mode: 'open' });

  attributeChangedCallback() {
    const litres = Number(this.getAttribute('litres'));
    this.root.innerHTML = `
      <style>
        .meter { height: 10px; overflow: hidden; background: var(--rule); border-radius: 999px; }
        .level { height: 100%; background: var(--accent); transition: width 0.3s; }
        .label { display: flex; justify-content: space-between; margin: 0.4rem 0 0; color: var(--soft); }
      </style>
      <div class="meter"><div class="level" style="width: ${Math.min(100, litres * 60)}%"></div></div>
      <p class="label"><span class="amount">${litres.toFixed(1)} l</span></p>
    `;
    const goal = document.createElement('b');
    goal.className = 'goal';
    goal.textContent = 'of 2 l';
    this.root.querySelector('.label')?.append(goal);
  }
}

customElements.define('water-meter', WaterMeter);
