import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { callerNetwork, requireOwnHost } from './browser-session.ts'

const check = (host: string | undefined) => () =>
  requireOwnHost({ headers: { host } } as FastifyRequest, 'https://kiln.example.com')

test('pages in a browser are served under addresses, names without a domain, and the public name', () => {
  for (const host of ['127.0.0.1:8080', '[::1]:8080', 'localhost', 'kiln-api:8080', 'Kiln.example.com:443'])
    expect(check(host), host).not.toThrow()
})

test('and under no other domain, which may have been made to resolve to this machine', () => {
  for (const host of [
    'attacker.example',
    'kiln.example.com.attacker.example:8080',
    '127.0.0.1.attacker.example',
  ])
    expect(check(host), host).toThrow('not served under this name')
})

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::1', '0:0:0:0::/64'],
  ['2001:DB8:0:1:2:3:4:5', '2001:db8:0:1::/64'],
  ['2001:db8:0:1::9', '2001:db8:0:1::/64'],
  ['2001:db8::1:2:3:4', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['no address', 'no address'],
])('%s counts as %s', (address, network) => {
  expect(callerNetwork(address)).toBe(network)
})
