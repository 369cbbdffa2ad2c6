import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findAddresses, isPublicAddress, NotReached } from './addresses.ts'

const inRange = (first: string) => {
  const parts = first.split('.').map((part) => (part === '*' ? fc.nat(255) : fc.constant(Number(part))))
  return fc.tuple(...parts).map((all) => all.join('.'))
}
const privateFour = fc.oneof(
  ...['10.*.*.*', '127.*.*.*', '0.*.*.*', '169.254.*.*', '192.168.*.*', '255.255.255.255'].map(inRange),
  fc.tuple(fc.integer({ min: 16, max: 31 }), fc.nat(255)).map(([two, last]) => `172.${two}.0.${last}`),
  fc.tuple(fc.integer({ min: 64, max: 127 }), fc.nat(255)).map(([two, last]) => `100.${two}.9.${last}`),
  fc.tuple(fc.integer({ min: 224, max: 255 }), fc.nat(255)).map(([one, last]) => `${one}.1.2.${last}`),
)
const group = fc.nat(0xffff).map((number) => number.toString(16))
const rest = fc.array(group, { minLength: 6, maxLength: 6 }).map((groups) => groups.join(':'))

describe('addresses', () => {
  test('private, loopback, link-local and shared ones are refused', () => {
    fc.assert(fc.property(privateFour, (address) => !isPublicAddress(address)))
  })

  test('they are refused in every disguise of IPv6', () => {
    fc.assert(
      fc.property(privateFour, (address) => {
        const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
        const two = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
        for (const hidden of [`::ffff:${address}`, `::${address}`, `64:ff9b::${address}`, `2002:${two}::1`])
          expect(isPublicAddress(hidden), hidden).toBe(false)
      }),
    )
  })

  test.each([
    '::1',
    '::',
    'fe80::1',
    'fec0::1',
    'fc00::1',
    'fdff:1::',
    'ff02::1',
    '2001:db8::1',
    '2001::1',
    '100::1',
  ])('of IPv6 %s is refused', (address) => expect(isPublicAddress(address)).toBe(false))

  test('of IPv6 nothing outside of what is given out is public', () => {
    const first = fc.nat(0xffff).filter((number) => number >> 13 !== 1)
    fc.assert(
      fc.property(first, rest, (number, more) => !isPublicAddress(`${number.toString(16)}:0:${more}`)),
    )
  })

  test.each([
    '8.8.8.8',
    '1.1.1.1',
    '172.32.0.1',
    '100.128.0.1',
    '223.255.255.254',
    '2606:4700::1111',
    '2a00:1450::1',
  ])('%s is public', (address) => expect(isPublicAddress(address)).toBe(true))

  test.each(['', 'example.com', '1.2.3', '999.1.1.1'])('"%s" is none', (text) =>
    expect(isPublicAddress(text)).toBe(false),
  )
})

describe('a host', () => {
  const resolve = async () => [
    { address: '10.0.0.1', family: 4 },
    { address: '8.8.8.8', family: 4 },
  ]
  test('is reached at its public addresses alone', async () => {
    expect(await findAddresses('example.com', false, resolve)).toEqual([{ address: '8.8.8.8', family: 4 }])
    expect(await findAddresses('example.com', true, resolve)).toHaveLength(2)
  })
  test.each(['localhost', '127.0.0.1', '[::1]', '[::ffff:10.0.0.1]', new URL('http://2130706433/').hostname])(
    '%s is not reached unless that is allowed',
    async (host) => {
      await expect(findAddresses(host, false)).rejects.toThrow(/KILN_WEBHOOKS_TO_PRIVATE/)
      expect((await findAddresses(host, true)).length).toBeGreaterThan(0)
    },
  )
  test('of an unknown name are reported as such', async () => {
    await expect(findAddresses('no-such-host.invalid', true)).rejects.toBeInstanceOf(NotReached)
  })
})
