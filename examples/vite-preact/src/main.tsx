import { render } from 'preact';
import { App } from './App';
import './style.css';

function Shell() {
  return (
    <div class="shell">
      <App />
    </div>
  );
}

const root = document.getElementById('app');
if (!root) throw new Error('index.html has no #app');

render(<Shell />, root);
