import Foundation
import TestSupport
import Testing

@testable import EditModel

/// Tests of intact, damaged and artificial DEFLATE data. The result must be zlib's result, and data that zlib refuses
/// must be refused.
@Suite struct InflationTests {
  /// A quick run uses fewer cases.
  private static let count = Cases.areAllRun ? 1200 : 400

  /// A Python program that writes cases: the format, the data, and zlib's output or its refusal.
  private static let maker = """
    import random, struct, sys, zlib
    chance = random.Random(int(sys.argv[2]))
    def content():
        size = chance.choice([0, 1, 2, 3, 100, 257, 258, 259, 1000, 3000, 5000] + [40000, 70000] * (chance.random() < 0.1))
        return chance.choice([
            lambda: bytes(chance.randrange(256) for _ in range(size)),
            lambda: bytes(chance.choice(b"abcd ") for _ in range(size)),
            lambda: b"\\x00" * size,
            lambda: (b"light and colour " * 5000)[:size],
            lambda: bytes(min(255, int(chance.expovariate(0.05))) for _ in range(size)),
        ])()
    def packed(window):
        maker = zlib.compressobj(chance.randrange(10), zlib.DEFLATED, window, chance.randrange(1, 10), chance.choice(
            [zlib.Z_DEFAULT_STRATEGY, zlib.Z_FILTERED, zlib.Z_HUFFMAN_ONLY, zlib.Z_RLE, zlib.Z_FIXED]))
        made = b""
        for _ in range(chance.randrange(1, 4)):
            made += maker.compress(content())
            if chance.random() < 0.3: made += maker.flush(zlib.Z_FULL_FLUSH)
        return made + maker.flush()
    def verdict(data, window):
        reader = zlib.decompressobj(window)
        try: made = reader.decompress(data)
        except zlib.error: return None
        return made if reader.eof else None
    whole = refused = damaged = 0
    with open(sys.argv[1], "wb") as file:
        for number in range(int(sys.argv[3])):
            is_raw, kind = chance.random() < 0.7, number % 8
            window = chance.randrange(9, 16)
            data = bytearray(packed(-window if is_raw else window))
            if kind == 1: data = data[:chance.randrange(len(data))]
            if kind == 2: data += b"and more"
            if kind in (3, 4):
                for _ in range(chance.randrange(1, 3)):
                    # The codes stand at the beginning.
                    place = chance.randrange(len(data) if kind == 3 else min(40, len(data)))
                    data[place] ^= 1 << chance.randrange(8)
            if kind == 5: data = bytearray([chance.choice([2, 3, 4, 5])] + [chance.randrange(256) for _ in range(200)])
            # The bits of a code of lengths at random, most of it short: such codes are whole more often.
            if kind == 6:
                bits = [1, 0, 1] + [chance.randrange(2) for _ in range(14)]
                for _ in range(19): bits += chance.choice([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]])
                bits += [chance.randrange(2) for _ in range(2000)]
                data = bytearray(sum(bit << at for at, bit in enumerate(bits[i:i + 8])) for i in range(0, len(bits), 8))
            made = verdict(bytes(data), -15 if is_raw else 15)
            refused += made is None
            whole += made is not None
            damaged += kind in (3, 4) and made is not None
            file.write(struct.pack("<BI", is_raw, len(data)) + data)
            file.write(struct.pack("<I", 0xFFFFFFFF) if made is None else struct.pack("<I", len(made)) + made)
    print(whole, refused, damaged)
    """

  @Test(arguments: [1, 2]) func dataIsUnpackedAsZlibDoes(_ seed: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("cases").path
    let counted = try Tools.output("python3", "-c", Self.maker, path, "\(seed)", "\(Self.count)").text.split(
      separator: " ")
    // The cases must include enough valid and enough refused data, also among damaged data.
    #expect(counted.count == 3 && counted.allSatisfy { Int($0.trimmingCharacters(in: .newlines)) ?? 0 > 20 })
    let bytes = [UInt8](try Data(contentsOf: folder.file("cases")))
    var at = 0
    func number() -> Int {
      defer { at += 4 }
      return (0..<4).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) }
    }
    func part(_ count: Int) -> [UInt8] {
      defer { at += count }
      return Array(bytes[at..<at + count])
    }
    var checked = 0
    while at < bytes.count {
      let format: Deflate.Format = part(1) == [1] ? .raw : .zlib
      let data = part(number())
      let size = number()
      let expected = size == 0xFFFF_FFFF ? nil : part(size)
      let made = Deflate.inflated(data, limit: 1 << 20, format: format)
      #expect(made == expected, "case \(checked)")
      // The output must not exceed the limit by even one byte.
      if let expected, expected.count > data.count {
        #expect(Deflate.inflated(data, limit: expected.count, format: format) == expected)
        #expect(Deflate.inflated(data, limit: expected.count - 1, format: format) == nil)
      }
      checked += 1
    }
    #expect(checked == Self.count)
  }
}
