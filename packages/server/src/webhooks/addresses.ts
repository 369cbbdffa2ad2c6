import { promises as dns, type LookupAddress } from 'node:dns'
import { BlockList, isIP } from 'node:net'

// Where a webhook may be sent. A receiver is on the public internet: loopback, private and reserved addresses are
// refused, whatever name resolves to them, unless the operator allows them. The name is resolved once, the addresses
// are checked, and the connection is made to one of these addresses, so that a name that resolves differently later
// (DNS rebinding) has no effect.

// Two lists: IPv6 ranges in one list would also match IPv4 addresses in their IPv4-mapped form.
const refused = { ipv4: new BlockList(), ipv6: new BlockList() }
const kindOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')
const ranges = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Only 2000::/3 of IPv6 is allocated. Outside of it are loopback, link-local, unique local, multicast, and addresses
  // that embed an IPv4 address. Teredo and 6to4, inside of it, embed one too.
  '::/3',
  '4000::/2',
  '8000::/1',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
]
for (const range of ranges) {
  const [address = '', bits] = range.split('/')
  refused[kindOf(address)].addSubnet(address, Number(bits), kindOf(address))
}

export const isPublicAddress = (address: string): boolean =>
  isIP(address) !== 0 && !refused[kindOf(address)].check(address, kindOf(address))

/** Why a request was not sent. The message is for the operator and the owner of the webhook. */
export class NotReached extends Error {}

export type Resolve = (name: string) => Promise<readonly LookupAddress[]>

/** The addresses that a request to this host may go to. */
export async function findAddresses(
  host: string,
  allowPrivate: boolean,
  resolve: Resolve = resolveName,
): Promise<LookupAddress[]> {
  const literal = host.replace(/^\[|\]$/g, '')
  const family = isIP(literal)
  const found = family ? [{ address: literal, family }] : await resolve(host)
  const usable = found.filter(({ address }) => allowPrivate || isPublicAddress(address))
  if (usable.length > 0) return usable
  const [first] = found
  throw new NotReached(
    first
      ? `${host} is at ${first.address}, which is private, loopback or reserved. Webhooks go to public addresses only, unless KILN_WEBHOOKS_TO_PRIVATE is set.`
      : `${host} has no address.`,
  )
}

// The system's resolver (getaddrinfo) blocks one of the few libuv threads, which also read and write files, while a
// name server does not respond. So name servers are queried first, without a thread; only a name that they do not know
// (from /etc/hosts, or with a search domain) is passed to the system.
async function resolveName(name: string): Promise<readonly LookupAddress[]> {
  const resolver = new dns.Resolver({ timeout: 2000, tries: 2 })
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const found = [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
  ]
  if (found.length > 0) return found
  const isSilent = [four, six].some(
    (end) => end.status === 'rejected' && (end.reason as NodeJS.ErrnoException).code === 'ETIMEOUT',
  )
  if (isSilent) throw new NotReached(`The name servers do not answer for ${name}.`)
  return dns.lookup(name, { all: true }).catch(() => {
    throw new NotReached(`The name ${name} is not known.`)
  })
}
