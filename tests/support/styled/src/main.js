import './plain.css';
import './site.scss';
import './wind.css';

document.body.dataset.ready = 'yes';
