import { isIPv4, isIPv6 } from 'node:net'

/**
 * Whose attempts to sign in are counted together. An IPv4 address counts alone. In IPv6 a client that has one
 * address has its whole network of 64 bits, so that counts as one.
 */
export function callerNetwork(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  if (isIPv4(address) || !isIPv6(address)) return address
  // As a URL writes it: lower case, no leading zeros, the longest run of zeros as `::`.
  const written = new URL(`http://[${address.split('%', 1)[0]}]`).hostname.slice(1, -1)
  const [head = '', tail = ''] = written.split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0')
  return `${[...first, ...zeros, ...last].slice(0, 4).join(':')}::/64`
}
