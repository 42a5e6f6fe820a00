import { renderChecklist } from './checklist';
import { drawProfile } from './profile';
import { WALKS, type Walk } from './walks';

const hours = (walk: Walk) => (walk.hours > 4 ? `<b class="long">all day</b>` : `${walk.hours} h`);

const walks = document.querySelector('#walks') ?? document.body;
walks.innerHTML = `
  ${WALKS.map(
    (walk) => `<article class="walk" id="${walk.id}">
      <div class="profile"></div>
      <h2>${walk.name}</h2>
      <p class="facts">${walk.metres} m up, ${hours(walk)}</p>
      ${walk.hours > 4 ? '<span class="early">start early</span>' : ''}
    </article>`,
  ).join('')}
`;

for (const walk of WALKS) document.querySelector(`#${walk.id} .profile`)?.append(drawProfile(walk));

const metres = WALKS.reduce((sum, walk) => sum + walk.metres, 0);
const stats = `<dl class="stats"><dt>Climb</dt><dd class="climb">${metres} m</dd></dl>`;
document.querySelector('#stats')?.insertAdjacentHTML('beforeend', stats);
document
  .querySelector('#stats')
  ?.insertAdjacentHTML('beforeend', `<p class="sum">in <i>${WALKS.length} days</i></p>`);

renderChecklist(['Water', 'Rain jacket', 'Tram ticket']);
