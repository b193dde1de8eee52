import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

struct HEIFFileTests {
  // Every item with its data, properties and links is read like the independent parser reads it.
  @Test(arguments: HEICPhotos.fixtures)
  func readsWhatAnIndependentWalkerReads(name: String) throws {
    let url = HEICPhotos.url(name)
    let source = MemoryByteSource(try HEICPhotos.bytes(name))
    let file = try HEIFFile(reading: source)
    let walked = try WalkedHEIF.read(url)
    #expect(Int(file.primaryItem) == walked.primary)
    #expect(Set(file.items.keys.map { String($0) }) == Set(walked.items.keys))
    for (number, theirs) in walked.items {
      let id = try #require(UInt32(number))
      let item = try #require(file.items[id])
      #expect(item.type.description == theirs.type)
      #expect(item.isHidden == theirs.hidden)
      #expect(item.contentType == theirs.contentType)
      #expect(try file.ranges(of: [id]).joined().map { [$0.lowerBound, $0.count] } == theirs.places)
      let properties = zip(file.associations(of: id), file.properties(of: id)).map { association, property in
        "\(property.kind) \(association.isEssential) "
          + property.bytes.map { String(format: "%02x", $0) }.joined()
      }
      #expect(properties == theirs.properties.map { "\($0.kind) \($0.isEssential) \($0.content)" })
    }
    #expect(
      file.references.map { "\($0.kind) \($0.from) \($0.to)" }
        == walked.references.map { "\($0.kind) \($0.from) \($0.to)" })
    #expect(
      file.groups.map { "\($0.kind) \($0.members)" } == walked.groups.map { "\($0.kind) \($0.to)" })
  }

  // The boxes that are read are written back byte for byte.
  @Test(arguments: HEICPhotos.fixtures)
  func writesTheBoxesThatItRead(name: String) throws {
    let bytes = try HEICPhotos.bytes(name)
    let file = try HEIFFile(reading: MemoryByteSource(bytes))
    func original(_ kind: FourCC) throws -> [UInt8] {
      let atom = try #require(file.metaAtoms.first { $0.kind == kind })
      return Array(bytes[atom.contentOffset..<atom.offset + atom.size])
    }
    #expect(try file.properties.serialized() == original("iprp"))
    #expect(HEIFReference.serialized(file.references) == (try original("iref")))
    if name != "shared.HEIC" {  // which has base offsets
      #expect(try file.locations.serialized() == original("iloc"))
    }
    var again = file.locations
    again = try HEIFLocationTable(again.serialized())
    #expect(again.entries.map(\.location) == file.locations.entries.map(\.location))
  }

  @Test(arguments: HEICPhotos.fixtures)
  func summaryAgreesWithExiftool(name: String) throws {
    let url = HEICPhotos.url(name)
    let tags = try Tools.exiftool(url)
    let summary = try Photo(MemoryByteSource(HEICPhotos.bytes(name))).metadata()
    #expect(summary.contentIdentifier == tags["Apple:MediaGroupUUID"] ?? tags["Apple:ContentIdentifier"])
    #expect(summary.contentIdentifier != nil)
    #expect(summary.orientation.rawValue == tags["IFD0:Orientation"].flatMap(Int.init))
    #expect(String(summary.storedWidth) == tags["File:ImageWidth"])
    #expect(String(summary.storedHeight) == tags["File:ImageHeight"])
    #expect(summary.make == tags["IFD0:Make"])
    #expect(summary.model == tags["IFD0:Model"])
    #expect(summary.captureDate?.prefix(19) == tags["ExifIFD:DateTimeOriginal"]?.prefix(19))
    #expect(try !Photo(MemoryByteSource(HEICPhotos.bytes(name))).isMotionPhoto())
  }

  @Test(arguments: HEICPhotos.fixtures)
  func captureDataAgreesWithExiftool(name: String) throws {
    let tags = try Tools.exiftool(HEICPhotos.url(name))
    let metadata = try Photo(MemoryByteSource(HEICPhotos.bytes(name))).metadata()
    let aperture = tags["QuickTime:CleanAperture"].map { $0.split(separator: " ").prefix(2).map { Int($0) } }
    let size = aperture ?? [tags["File:ImageWidth"], tags["File:ImageHeight"]].map { $0.flatMap(Int.init) }
    let isSideways = tags["IFD0:Orientation"].flatMap(Int.init).map { $0 >= 5 } ?? false
    #expect([metadata.width, metadata.height] == (isSideways ? size.reversed() : size))
    #expect(metadata.contentIdentifier == tags["Apple:MediaGroupUUID"] ?? tags["Apple:ContentIdentifier"])
    #expect(metadata.model == tags["IFD0:Model"] && metadata.software == tags["IFD0:Software"])
    #expect(metadata.created != nil && metadata.subtypes.contains(.hdr) == (name != "depth.HEIC"))
  }

  /// A group is written as it was read, including the data after its members.
  @Test func groupsKeepWhatIsBehindTheirMembers() throws {
    let content: [UInt8] = [1, 0, 0, 2, 0, 0, 0, 9, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 8, 0xAB, 0xCD]
    let box = [0, 0, 0, 30] + Array("ster".utf8) + content
    var groups = try HEIFGroup.table(box)
    #expect(groups.map(\.members) == [[7, 8]] && groups.map(\.box.serialized) == [box])
    groups[0].members.reverse()
    #expect(groups[0].box.bytes == content[..<12] + [0, 0, 0, 8, 0, 0, 0, 7, 0xAB, 0xCD])
  }

  @Test func readsLocationsOfEveryWidth() throws {
    // Version 2, 8-byte offsets, 2-byte lengths, 3-byte base offsets and 1-byte indices.
    var bytes: [UInt8] = [2, 0, 0, 0, 0x82, 0x31, 0, 0, 0, 1]
    bytes += [0, 1, 0, 0]  // item 65536
    bytes += [0xFF, 0xF2]  // by item, with reserved bits set
    bytes += [0, 0] + [0, 0, 16] + [0, 1]
    bytes += [2] + [0, 0, 0, 0, 0, 0, 0, 5] + [1, 0]
    let table = try HEIFLocationTable(bytes)
    #expect(table.entries.map(\.id) == [65536])
    let extent = HEIFLocation.Extent(index: 2, offset: 21, length: 256)
    #expect(
      table.entries[0].location == HEIFLocation(construction: .item, dataReference: 0, extents: [extent]))
    let again = try HEIFLocationTable(table.serialized())
    #expect(again.entries[0].location == table.entries[0].location)
    // The table contains a single extent without bytes.
    let whole = try HEIFLocationTable([0, 0, 0, 0, 0, 0, 0, 1, 0, 7, 0, 0, 0, 1])
    #expect(whole.entries[0].location.extents == [HEIFLocation.Extent(index: 0, offset: 0, length: 0)])
  }

  @Test func writesWidePropertyNumbersWhereNeeded() throws {
    let narrow: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1, 0, 5, 2, 0x81, 0x7F]
    var box = try HEIFProperties.AssociationBox(narrow)
    #expect(try box.serialized() == narrow)
    box.entries[0].associations.append(HEIFProperties.Association(index: 128, isEssential: true))
    #expect(try box.serialized() == [0, 0, 0, 1, 0, 0, 0, 1, 0, 5, 3, 0x80, 1, 0, 0x7F, 0x80, 0x80])
    box.entries.append((70_000, []))
    #expect(try box.serialized().prefix(8) == [1, 0, 0, 1, 0, 0, 0, 2])
    box.entries[0].associations.append(HEIFProperties.Association(index: 0x8000, isEssential: true))
    #expect(throws: MediaError.self) { try box.serialized() }
  }
}
