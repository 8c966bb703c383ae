import { afterEach, expect, test } from 'vitest';
import { echoAcceptor } from './echo-acceptor.js';
import { Peer, utc } from './session/session-peer.js';

const acceptor = echoAcceptor({ port: 0, sender: 'ISLD', target: 'TW44' });
afterEach(() => acceptor.stop());

test('a desk that disconnected with an unanswered order may log on again at once', async () => {
  const { port } = await acceptor.listen();
  const refused: number[] = [];
  for (let call = 0; call < 100; call++) {
    const desk = await Peer.open(port);
    desk.send(`35=A|34=1|49=TW44|52=${utc(0)}|56=ISLD|98=0|108=30`);
    if ((await desk.next()) === undefined) refused.push(call);
    desk.send(`35=D|34=2|49=TW44|52=${utc(0)}|56=ISLD|11=A|21=3|40=1|54=1|55=EUR/USD|60=${utc(0)}`);
    desk.socket.end();
  }
  expect(refused).toEqual([]);
});
