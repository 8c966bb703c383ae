/** Of this machine alone, by a host name or an address; whatever else a name may stand for is not asked. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
