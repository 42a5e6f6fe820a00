import { mount, unmount } from 'svelte';
import type { Crossing } from '../crossings';
import Ticket from './Ticket.svelte';

/** Shows a ticket over the page, outside of the app's own element. */
export function showTicket(crossing: Crossing): void {
  const ticket = mount(Ticket, {
    target: document.body,
    props: { crossing, onclose: () => void unmount(ticket) },
  });
}
