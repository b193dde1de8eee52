import Basics
import EditModel
import Foundation
import TestSupport
import Testing

@testable import LivePhotoFormat

/// A sink that collects bytes in memory.
final class MemoryByteSink: ByteSink {
  private(set) var bytes: [UInt8] = []

  func write(_ bytes: [UInt8]) { self.bytes += bytes }

  func overwrite(at offset: Int, _ bytes: [UInt8]) {
    self.bytes.replaceSubrange(offset..<offset + bytes.count, with: bytes)
  }
}

struct HEIFSurgeryTests {
  private static let identifier = "0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0"

  private static func turned(
    _ bytes: [UInt8], _ turn: Orientation, identifier: String? = nil
  ) throws -> [UInt8] {
    let sink = MemoryByteSink()
    let removals = try HEIFFile(Photo(MemoryByteSource(bytes))).write(
      turn: turn, identifier: identifier, to: sink)
    #expect(removals == [])
    return sink.bytes
  }

  /// Returns where an item's `irot` and `imir` place a point of the unit square, following the standard's text.
  private static func laidDown(_ item: WalkedHEIF.Item, x: Double, y: Double) -> [Double] {
    var (x, y) = (x, y)
    for property in item.properties {
      switch (property.kind, property.content) {
      case ("irot", let turns):
        // Each step rotates once counterclockwise: the right edge becomes the top.
        for _ in 0..<(Int(turns) ?? 0) { (x, y) = (y, 1 - x) }
      case ("imir", "00"): y = 1 - y
      case ("imir", "01"): x = 1 - x
      default: break
      }
    }
    return [x, y]
  }

  private static func moved(_ point: [Double], by turn: Orientation) -> [Double] {
    let moved = turn.apply(x: point[0], y: point[1], width: 1, height: 1)
    return [moved.x, moved.y]
  }

  /// Returns the width and height of an item as displayed, or before its own rotation.
  private static func size(_ item: WalkedHEIF.Item) throws -> [Int] {
    let content = try #require(item.contents("ispe").first)
    return [content.dropFirst(8).prefix(8), content.suffix(8)].compactMap { Int($0, radix: 16) }
  }

  /// The fixtures with every rotation and mirror image.
  static func photos(_ turns: [Orientation]) -> [(name: String, turn: Orientation)] {
    HEICPhotos.fixtures.flatMap { name in turns.map { (name, $0) } }
  }

  // Tests every rotation and mirror image with the independent parser.
  @Test(arguments: photos(Orientation.allCases))
  func turnsWhatBelongsTogether(name: String, turn: Orientation) throws {
    let before = try WalkedHEIF.read(HEICPhotos.url(name))
    let folder = try TemporaryFolder()
    let output = try folder.write(Self.turned(HEICPhotos.bytes(name), turn), to: "turned.heic")
    let after = try WalkedHEIF.read(output)
    #expect(after.parts == before.parts)
    #expect(after.references == before.references)
    #expect(after.groups == before.groups)
    #expect(Set(after.items.keys) == Set(before.items.keys))
    var own: Set<Int> = [before.primary]
    for link in before.references where ["thmb", "auxl"].contains(link.kind) { own.insert(link.from) }
    let (x, y) = (0.25, 0.625)  // so that sums are exact
    for (number, old) in before.items {
      let id = try #require(Int(number))
      let new = try #require(after[id])
      if old.type != "Exif" { #expect(new.sha == old.sha, "item \(id)") }
      let isTone = old.type == "tmap"
      let kept = { (item: WalkedHEIF.Item) in
        item.properties.filter { !["irot", "imir"].contains($0.kind) && !(isTone && $0.kind == "ispe") }
      }
      #expect(kept(new) == kept(old), "item \(id)")
      let (was, now) = (Self.laidDown(old, x: x, y: y), Self.laidDown(new, x: x, y: y))
      if own.contains(id) {
        #expect(now == Self.moved(was, by: turn), "item \(id)")
      } else if isTone {
        // The item's inputs are already rotated. Through them, each point of the scene appears at the same position as
        // in the photo.
        let turned = Self.moved([x, y], by: turn)
        #expect(Self.laidDown(new, x: turned[0], y: turned[1]) == Self.moved(was, by: turn))
        #expect(try Self.size(new) == (turn.swapsAxes ? Self.size(old).reversed() : Self.size(old)))
      } else {
        #expect(new.properties == old.properties)
      }
      let order = new.properties.map(\.kind).filter { ["clap", "irot", "imir"].contains($0) }
      #expect(order == ["clap", "irot", "imir"].filter(order.contains))
      #expect(new.properties.allSatisfy { !["clap", "irot", "imir"].contains($0.kind) || $0.isEssential })
    }
  }

  // exiftool reads the same values, except for orientation and identifier.
  @Test(arguments: photos([.right, .upMirrored, .up]))
  func exifSaysTheSame(name: String, turn: Orientation) throws {
    let before = try Tools.exiftool(HEICPhotos.url(name))
    let folder = try TemporaryFolder()
    let bytes = try Self.turned(HEICPhotos.bytes(name), turn, identifier: Self.identifier)
    let after = try Tools.exiftool(folder.write(bytes, to: "turned.heic"))
    let identifierTag =
      before["Apple:MediaGroupUUID"] == nil ? "Apple:ContentIdentifier" : "Apple:MediaGroupUUID"
    #expect(after[identifierTag] == Self.identifier)
    let old = try #require(before["IFD0:Orientation"].flatMap(Int.init).flatMap(Orientation.init))
    #expect(after["IFD0:Orientation"] == String(old.then(turn).rawValue))
    let differ = Set(before.keys.filter { before[$0] != after[$0] }).subtracting([
      identifierTag, "IFD0:Orientation",
    ])
    let isBookkeeping = { (tag: String) in
      [
        "System:", "File:", "QuickTime:", "Meta:", "ExifTool:", "SourceFile", "Composite:",
        "IFD1:ThumbnailOffset",
      ].contains {
        tag.hasPrefix($0)
      }
    }
    var wrong = differ.filter { !isBookkeeping($0) }
    if name.hasSuffix("E3582.HEIC") {  // where Photos wrote the sizes of the unturned picture
      wrong.subtract(["ExifIFD:ExifImageWidth", "ExifIFD:ExifImageHeight", "ExifIFD:SubjectArea"])
    }
    #expect(wrong == [])
    #expect(after["ExifTool:Warning"] == nil && after["ExifTool:Error"] == nil)
  }

  @Test func turningBackGivesTheSameFile() throws {
    let photo = try HEICPhotos.bytes("IMG_0004.HEIC")
    #expect(try Self.turned(photo, .up) == photo)
    #expect(try Self.turned(Self.turned(photo, .right), .left) == photo)
    #expect(try Self.turned(Self.turned(photo, .down), .down) == photo)
  }

  // Compares the pixels of the photo and of its gain map, decoded by libheif.
  @Test(.enabled(if: Tools.hasPillowHEIF), arguments: HEICPhotos.fixtures, Orientation.allCases.dropFirst())
  func othersSeeTheTurn(name: String, turn: Orientation) throws {
    let folder = try TemporaryFolder()
    let output = try folder.write(Self.turned(HEICPhotos.bytes(name), turn), to: "turned.heic")
    let program = """
      import sys, numpy, pillow_heif
      from PIL import Image
      def pictures(path):
          file = pillow_heif.open_heif(path)
          # libheif's binding gives auxiliary pictures of 8 bits only.
          kinds = [kind for kind in file.info["aux"] if not kind.endswith("semanticskymatte")]
          maps = [numpy.asarray(file.get_aux_image(i)) for kind in kinds for i in file.info["aux"][kind]]
          maps += [numpy.asarray(depth) for depth in file.info["depth_images"]]
          return [numpy.asarray(file.to_pillow().convert("RGB"))] + maps
      turns = [None, lambda a: a, lambda a: a[:, ::-1], lambda a: a[::-1, ::-1], lambda a: a[::-1],
          lambda a: a.swapaxes(0, 1), lambda a: numpy.rot90(a, -1), lambda a: a[::-1, ::-1].swapaxes(0, 1),
          lambda a: numpy.rot90(a, 1)]
      old, new = pictures(sys.argv[1]), pictures(sys.argv[2])
      print(len(old), all(numpy.array_equal(turns[int(sys.argv[3])](a), b) for a, b in zip(old, new)))
      """
    let answer = try Tools.output(
      "python3", "-c", program, HEICPhotos.url(name).path, output.path, String(turn.rawValue))
    #expect(answer.lines == [name == "depth.HEIC" ? "3 True" : "2 True"])
  }

  // Regions in stored coordinates are kept with the pixels. Regions that some programs count in the displayed picture
  // are rotated.
  @Test(arguments: [(720, 540), (540, 720)]) func regionsFollowTheirCoordinates(width: Int, height: Int)
    throws
  {
    let photo = try HEICPhotos.bytes("IMG_0004.HEIC")
    let packet = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description xmlns:tiff="http://ns.adobe.com/tiff/1.0/" tiff:Orientation="6"
      xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/"
      xmlns:stDim="http://ns.adobe.com/xap/1.0/sType/Dimensions#" xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#">
      <mwg-rs:Regions rdf:parseType="Resource">
      <mwg-rs:AppliedToDimensions stDim:w="\(width)" stDim:h="\(height)" stDim:unit="pixel"/>
      <mwg-rs:RegionList><rdf:Bag><rdf:li rdf:parseType="Resource">
      <mwg-rs:Area stArea:x="0.25" stArea:y="0.375" stArea:w="0.125" stArea:h="0.5" stArea:unit="normalized"/>
      </rdf:li></rdf:Bag></mwg-rs:RegionList></mwg-rs:Regions></rdf:Description></rdf:RDF></x:xmpmeta>
      """
    let file = try HEIFFile(reading: MemoryByteSource(photo))
    var composition = HEIFComposition(file, properties: file.properties)
    composition.replace(23, with: Array(packet.utf8))
    let sink = MemoryByteSink()
    try composition.writeInPlace(to: sink)
    let folder = try TemporaryFolder()
    let tags = try Tools.exiftool(folder.write(Self.turned(sink.bytes, .right), to: "turned.heic"))
    let region = ["X", "Y", "W", "H"].map { tags["XMP-mwg-rs:RegionArea\($0)"].flatMap(Double.init) }
    let applied = ["W", "H"].map { tags["XMP-mwg-rs:RegionAppliedToDimensions\($0)"].flatMap(Int.init) }
    let isStored = width == 720
    #expect(region == (isStored ? [0.25, 0.375, 0.125, 0.5] : [0.625, 0.25, 0.5, 0.125]))
    #expect(applied == [720, 540])
    #expect(tags["XMP-tiff:Orientation"] == "3")
  }

  @Test func writesAnExifItemWhereThereIsNone() throws {
    var patch = HEIFPatch(bytes: try HEICPhotos.bytes("shared.HEIC"))
    let place = try #require(Data(patch.bytes).firstRange(of: Data("Exif\0".utf8))?.lowerBound)
    patch.bytes.replaceSubrange(place..<place + 4, with: Array("none".utf8))
    let folder = try TemporaryFolder()
    let output = try folder.write(
      Self.turned(patch.bytes, .right, identifier: Self.identifier), to: "turned.heic")
    let tags = try Tools.exiftool(output)
    #expect(tags["Apple:MediaGroupUUID"] ?? tags["Apple:ContentIdentifier"] == Self.identifier)
    #expect(tags["IFD0:Orientation"] == "7")
    let walked = try WalkedHEIF.read(output)
    #expect(walked.items.count == 6)
    #expect(walked.references.contains { $0.kind == "cdsc" && $0.from == 6 && $0.to == [1] })
    let old = try WalkedHEIF.read(folder.write(patch.bytes, to: "old.heic"))
    for (number, item) in old.items { #expect(walked.items[number]?.sha == item.sha) }
  }

  @Test func refusesWhatItCannotTurn() throws {
    let photo = try HEICPhotos.bytes("IMG_0004.HEIC")
    let boxes: [(String, String)] = [("mpvd", "Motion Photo")]
    for (kind, word) in boxes {
      let bytes = photo + [0, 0, 0, 16] + Array(kind.utf8) + [UInt8](repeating: 1, count: 8)
      let error = #expect(throws: MediaError.self) { _ = try Self.turned(bytes, .right) }
      #expect(error?.problem.contains(word) ?? false)
      #expect(error?.isUnsupported ?? false)
    }
    // The whole picture is a tile of another grid.
    var patch = HEIFPatch(bytes: photo)
    try patch.set(["meta", "iref"], at: 4 + 36 + 14 + 8 + 4, [0, 13])
    #expect(throws: MediaError.self) { _ = try Self.turned(patch.bytes, .right) }
  }
}
