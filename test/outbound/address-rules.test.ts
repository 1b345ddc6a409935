// The address rules as tables: one line an address, judged under each kind of policy.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addressAllowed, parsePrivateNetwork } from '../../src/outbound/address-rules.ts'

const publicOnly = parsePrivateNetwork('false', true)
const loopbackToo = parsePrivateNetwork(undefined, true)
const privateToo = parsePrivateNetwork('true', false)

type Verdict = 'public' | 'loopback' | 'private' | 'listed only' | 'never'

const TABLE: readonly (readonly [Verdict, string, string])[] = [
  ['public', '93.184.216.34', 'an ordinary address'],
  ['public', '1.1.1.1', 'an ordinary address'],
  ['public', '100.63.255.255', 'just below the shared range'],
  ['public', '100.128.0.0', 'just above the shared range'],
  ['public', '172.15.255.255', 'just below a private range'],
  ['public', '172.32.0.0', 'just above a private range'],
  ['public', '223.255.255.255', 'the last before multicast'],
  ['public', '2606:4700::1111', 'an ordinary IPv6 address'],
  ['public', '2a00:1450:4001:81b::200e', 'an ordinary IPv6 address'],
  ['public', '::ffff:8.8.8.8', 'mapped, public inside'],
  ['public', '64:ff9b::8.8.8.8', 'NAT64, public inside'],
  ['public', '2002:808:808::1', '6to4, public inside'],
  ['public', '2001:0:4136:e378:8000:63bf:f7f7:f7f7', 'Teredo, public server and client'],
  ['loopback', '127.0.0.1', 'loopback'],
  ['loopback', '127.255.255.255', 'the end of loopback'],
  ['loopback', '::1', 'loopback'],
  ['loopback', '::ffff:127.0.0.1', 'mapped loopback'],
  ['loopback', '::ffff:7f00:1', 'mapped loopback in hexadecimal'],
  ['loopback', '::127.0.0.1', 'compatible loopback'],
  ['loopback', '::ffff:0:127.0.0.1', 'translated loopback'],
  ['loopback', '64:ff9b::127.0.0.1', 'loopback through NAT64'],
  ['loopback', '2002:7f00:1::', 'loopback through 6to4'],
  ['loopback', '2001:0:7f00:1::f7f7:f7f7', 'Teredo with a loopback server'],
  ['loopback', '2001:0:808:808::80ff:fffe', 'Teredo with a loopback client'],
  ['loopback', '2606:4700::5efe:7f00:1', 'ISATAP to loopback'],
  ['loopback', '2606:4700::200:5efe:7f00:1', 'ISATAP to loopback, global bit set'],
  ['private', '10.0.0.1', 'private'],
  ['private', '172.16.0.1', 'private'],
  ['private', '172.31.255.255', 'private'],
  ['private', '192.168.1.1', 'private'],
  ['private', '100.64.0.1', 'carrier-grade NAT'],
  ['private', '100.127.255.255', 'carrier-grade NAT'],
  ['private', 'fc00::1', 'unique local'],
  ['private', 'fdff:ffff::1', 'unique local'],
  ['private', 'fec0::1', 'site local'],
  ['private', '::ffff:10.0.0.1', 'mapped private'],
  ['private', '64:ff9b::192.168.0.1', 'private through NAT64'],
  ['private', '2002:c0a8:101::1', 'private through 6to4'],
  ['listed only', '192.0.0.1', 'protocol assignments'],
  ['listed only', '192.0.2.1', 'documentation'],
  ['listed only', '198.51.100.1', 'documentation'],
  ['listed only', '203.0.113.1', 'documentation'],
  ['listed only', '198.18.0.1', 'benchmarking'],
  ['listed only', '198.19.255.255', 'benchmarking'],
  ['listed only', '192.88.99.1', '6to4 relays'],
  ['listed only', '192.31.196.1', 'AS112'],
  ['listed only', '192.52.193.1', 'AMT'],
  ['listed only', '240.0.0.1', 'reserved'],
  ['listed only', '2001:db8::1', 'documentation'],
  ['listed only', '3fff::1', 'documentation'],
  ['listed only', '2001:2::1', 'benchmarking'],
  ['listed only', '2001:10::1', 'ORCHID'],
  ['listed only', '2001:20::1', 'ORCHIDv2'],
  ['listed only', '100::1', 'discard'],
  ['listed only', '5f00::1', 'segment routing'],
  ['listed only', '4000::1', 'outside 2000::/3'],
  ['listed only', 'e000::1', 'outside 2000::/3'],
  ['listed only', '200::1', 'outside 2000::/3'],
  ['listed only', '::ffff:198.18.0.1', 'mapped benchmarking'],
  ['never', '169.254.169.254', 'metadata'],
  ['never', '169.254.0.1', 'link-local'],
  ['never', '169.254.170.2', 'container credentials'],
  ['never', '168.63.129.16', 'Azure'],
  ['never', '100.100.100.200', 'Alibaba'],
  ['never', '192.0.0.192', 'Oracle'],
  ['never', 'fd00:ec2::254', 'AWS over IPv6'],
  ['never', 'fd00:0ec2:0000::0254', 'AWS over IPv6, spelled out'],
  ['never', 'fd20:ce::254', 'Google over IPv6'],
  ['never', 'fe80::1', 'link-local'],
  ['never', 'febf::1', 'the end of link-local'],
  ['never', 'fe80::a9fe:a9fe', 'metadata over IPv6 link-local'],
  ['never', 'fe80::1%eth0', 'with a zone'],
  ['never', '::1%lo', 'with a zone'],
  ['never', '::ffff:169.254.169.254', 'mapped metadata'],
  ['never', '::ffff:a9fe:a9fe', 'mapped metadata in hexadecimal'],
  ['never', '::169.254.169.254', 'compatible metadata'],
  ['never', '::ffff:0:169.254.169.254', 'translated metadata'],
  ['never', '64:ff9b::169.254.169.254', 'metadata through NAT64'],
  ['never', '64:ff9b:1::1', 'NAT64 for local use'],
  ['never', '2002:a9fe:a9fe::1', 'metadata through 6to4'],
  ['never', '2001:0:a9fe:a9fe::f7f7:f7f7', 'Teredo with a metadata server'],
  ['never', '2001:0:808:808::5601:5601', 'Teredo with a metadata client'],
  ['never', '::ffff:168.63.129.16', 'mapped Azure'],
  ['never', '0.0.0.0', 'unspecified'],
  ['never', '0.1.2.3', 'this network'],
  ['never', '::', 'unspecified'],
  ['never', '::ffff:0.0.0.0', 'mapped unspecified'],
  ['never', '224.0.0.1', 'multicast'],
  ['never', '239.255.255.255', 'multicast'],
  ['never', '255.255.255.255', 'broadcast'],
  ['never', 'ff02::1', 'multicast'],
  ['never', '', 'nothing'],
  ['never', 'localhost', 'a name'],
  ['never', '127.1', 'a spelling that only the URL parser may read'],
  ['never', '0x7f000001', 'a spelling that only the URL parser may read'],
  ['never', '2130706433', 'a spelling that only the URL parser may read'],
  ['never', '0177.0.0.1', 'a spelling that only the URL parser may read'],
  ['never', '[::1]', 'brackets'],
  ['never', '10.0.0.1/8', 'a network'],
]

const everything = parsePrivateNetwork('0.0.0.0/0 ::/0', false)

for (const [verdict, address, what] of TABLE) {
  test(`${address} (${what}) is ${verdict}`, () => {
    const allowed = [publicOnly, loopbackToo, privateToo, everything].map((policy) => addressAllowed(address, policy))
    const expected = {
      public: [true, true, true, true],
      loopback: [false, true, true, true],
      private: [false, false, true, true],
      'listed only': [false, false, false, true],
      never: [false, false, false, false],
    }[verdict]
    assert.deepEqual(allowed, expected)
  })
}

test('a list of networks opens these and nothing else', () => {
  const policy = parsePrivateNetwork('10.1.0.0/16, fd12::/16,192.168.7.7 169.254.0.0/16', true)
  const judged = ['10.1.2.3', '10.2.0.1', '::ffff:10.1.2.3', 'fd12::1', 'fd13::1', '192.168.7.7', '192.168.7.8']
  assert.deepEqual(
    judged.map((address) => addressAllowed(address, policy)),
    [true, false, true, true, false, true, false],
  )
  assert.equal(addressAllowed('127.0.0.1', policy), false, 'a list replaces the default for loopback')
  assert.equal(addressAllowed('169.254.169.254', policy), false, 'no list opens link-local')
  assert.equal(addressAllowed('8.8.8.8', policy), true)
})

test('unset and empty settings follow the default; words are read in any case', () => {
  for (const unset of [undefined, '', '  ']) {
    assert.equal(addressAllowed('127.0.0.1', parsePrivateNetwork(unset, true)), true)
    assert.equal(addressAllowed('127.0.0.1', parsePrivateNetwork(unset, false)), false)
    assert.equal(addressAllowed('10.0.0.1', parsePrivateNetwork(unset, true)), false)
  }
  assert.equal(addressAllowed('10.0.0.1', parsePrivateNetwork(' TRUE ', false)), true)
  assert.equal(addressAllowed('127.0.0.1', parsePrivateNetwork('False', true)), false)
})

for (const bad of [
  'yes',
  '1',
  '10.0.0.0/33',
  '10/8',
  '0x0a.0.0.0/8',
  'fd00::/129',
  '10.0.0.0/8;11.0.0.0/8',
  'true,false',
]) {
  test(`the setting "${bad}" is refused with a sentence that shows it`, () => {
    assert.throws(() => parsePrivateNetwork(bad, true), /must be "true", "false" or networks like/)
  })
}

test('however an IPv4 address is wrapped, the verdict is that of the address inside', () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.constantFrom(publicOnly, loopbackToo, privateToo), (address, policy) => {
      const [a, b, c, d] = address.split('.').map(Number) as [number, number, number, number]
      const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
      const plain = addressAllowed(address, policy)
      for (const wrapped of [`::ffff:${hex}`, `::ffff:0:${hex}`, `64:ff9b::${hex}`, `2002:${hex}::1`]) {
        assert.equal(addressAllowed(wrapped, policy), plain, `${wrapped} holds ${address}`)
      }
    }),
  )
})
