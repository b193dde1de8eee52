import Foundation
import Languages
import TestSupport
import Testing

extension MessageCatalogueTests {
  @Test func damagedCataloguesAreReadWithinTheirBytes() throws {
    let bytes = try Self.made([])
    for count in 0..<bytes.count {
      let cut = MessageCatalogue(Array(bytes[..<count]))
      _ = cut?.translation(of: "key photo")
      _ = cut?.named
      _ = cut?.translation(of: "%1 photo", number: 3)
    }
    for place in bytes.indices {
      for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] where bytes[place] != value {
        var damaged = bytes
        damaged[place] = value
        let catalogue = MessageCatalogue(damaged)
        _ = catalogue?.translation(of: "key photo")
        _ = catalogue?.translation(of: "%1 photo", number: 3)
      }
    }
    #expect(MessageCatalogue([]) == nil && MessageCatalogue(Array(repeating: 0, count: 100)) == nil)
  }
}
