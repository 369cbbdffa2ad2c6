import { isIPv4, isIPv6 } from 'node:net'

/**
 * The network whose attempts to sign in are counted together. An IPv4 address is counted alone. An IPv6 client usually
 * controls a whole /64 network, so that is counted as one.
 */
export function callerNetwork(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped) return mapped
  if (isIPv4(address) || !isIPv6(address)) return address
  // In the notation of a URL: lower case, no leading zeros, the longest run of zeros as `::`.
  const written = new URL(`http://[${address.split('%', 1)[0]}]`).hostname.slice(1, -1)
  const [head = '', tail = ''] = written.split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0')
  return `${[...first, ...zeros, ...last].slice(0, 4).join(':')}::/64`
}
