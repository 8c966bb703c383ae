/** Whose turn it is: of parties, of the clients of a party, and of the senders of a client. */
import { expect, test } from 'vitest';
import { Turns } from '../../../engine/roles/webhooks/turns.js';

test('parties take turns, in each its clients, and of each client its senders; none waits twice', () => {
  const turns = new Turns<{ readonly clientId: string; readonly name: string }>();
  const one = (clientId: string, name: string) => ({ clientId, name });
  const twice = one('big~a', '1');
  for (const sender of [
    twice,
    one('big~a', '2'),
    one('big~b', '3'),
    one('big', '4'),
    one('acme', '5'),
    one('acme', '6'),
    twice,
  ])
    turns.add(sender);
  const taken: string[] = [];
  for (let next = turns.take(); next; next = turns.take()) taken.push(next.name);
  expect(taken).toEqual(['1', '5', '3', '6', '4', '2']);
  expect(turns.isEmpty).toBe(true);
});
