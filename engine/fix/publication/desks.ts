import type { Session } from 'node-quickfix-ts';
import type { PriceTier } from './price-shape.js';
import { DeskStreams } from './subscription.js';

/** Every desk with streams, by session and by client. */
export class Desks {
  readonly all: DeskStreams[] = [];
  private readonly bySession = new Map<Session, DeskStreams>();
  private readonly byClient = new Map<string, Set<DeskStreams>>();

  of(session: Session): DeskStreams | undefined {
    return this.bySession.get(session);
  }

  open(session: Session, clientId: string): DeskStreams {
    const known = this.bySession.get(session);
    if (known !== undefined) return known;
    const desk = new DeskStreams(session, clientId);
    this.all.push(desk);
    this.bySession.set(session, desk);
    const ofClient = this.byClient.get(clientId) ?? new Set();
    this.byClient.set(clientId, ofClient.add(desk));
    return desk;
  }

  close(desk: DeskStreams): void {
    this.all.splice(this.all.indexOf(desk), 1);
    this.bySession.delete(desk.session);
    const ofClient = this.byClient.get(desk.clientId);
    ofClient?.delete(desk);
    if (ofClient?.size === 0) this.byClient.delete(desk.clientId);
  }

  /** Whether any desk of the client streams the tier: one session may show the prices that another trades on. */
  stream(clientId: string, tier: PriceTier): boolean {
    for (const desk of this.byClient.get(clientId) ?? []) if (desk.streams(tier)) return true;
    return false;
  }
}
