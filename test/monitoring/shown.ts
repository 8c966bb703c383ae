/** What `monitoring/` queries of a running system: every expression of the alerts and of the dashboard, by its place. */
import { read } from '../tidy/tree.js';

const ALERTS = read('monitoring/alerts.yml');

export interface Rule {
  readonly kind: 'alert' | 'record';
  readonly name: string;
  readonly expression: string;
  /** The lines of the rule. */
  readonly text: string;
}

export const RULES: readonly Rule[] = ALERTS.split(/^ {6}- (?=alert:|record:)/m)
  .slice(1)
  .map((text) => {
    const [, kind, name] = /^(alert|record): (\S+)$/m.exec(text)!;
    const [, expression] = /^ {8}expr: (.+)$/m.exec(text)!;
    return { kind: kind as Rule['kind'], name: name!, expression: expression!, text };
  });

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}
const { panels } = JSON.parse(read('monitoring/grafana/ratewire.json')) as { readonly panels: readonly Panel[] };

export interface Query {
  readonly panel: string;
  /** With a value for each variable of the dashboard. */
  readonly expression: string;
  readonly legendLabels: readonly string[];
}

export const QUERIES: readonly Query[] = panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr, legendFormat }) => ({
    panel: title,
    expression: expr.replaceAll('$__rate_interval', '1m').replaceAll('"$instance"', '".*"'),
    legendLabels: [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label!),
  })),
);
