// The SharedWorker: the same file as the page's, so that what both need is loaded once.
import './main';
