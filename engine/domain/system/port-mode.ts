/** Who decides about money, by what is decided: a sandbox by itself, without any bank, or operators. */

/** Whether announced money has come, whether a payment may go, and what the bank did with it. */
export const PORTS = ['funding', 'compliance', 'payout'] as const;
export type Port = (typeof PORTS)[number];

export const PORT_MODES = ['sandbox', 'manual'] as const;
export type PortMode = (typeof PORT_MODES)[number];

/** Absent: not decided yet. */
export type PortModes = { readonly [P in Port]?: PortMode | undefined };

/** The ports that a sandbox decides, in the order of PORTS. */
export const sandboxesOf = (modes: PortModes): Port[] => PORTS.filter((port) => modes[port] === 'sandbox');
