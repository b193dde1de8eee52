/// A description of a HEIF file for display.
package struct HEIFInspection: Encodable, Hashable, Sendable {
  /// The coding of the photo's picture.
  package struct Coding: Encodable, Hashable, Sendable {
    /// `hvc1`, `av01`, …
    package let codec: String
    /// Bits a sample.
    package let bitDepth: Int
    /// `4:2:0` and so on, or `grey`; nil where the codec is not HEVC.
    package let subsampling: String?
    /// Tiles side by side.
    package let columns: Int
    /// Tiles one below the other.
    package let rows: Int
    /// Width of a tile in pixels.
    package let tileWidth: Int
    /// Height of a tile in pixels.
    package let tileHeight: Int
  }

  /// One item.
  package struct Item: Encodable, Hashable, Sendable {
    /// Its number.
    package let number: UInt32
    /// Its type: `hvc1`, `grid`, `Exif`, …
    package let type: String
    /// Its role: “photo”, “tile”, “thumbnail”, “gain map”, “XMP”, …; nil when nothing says so.
    package let role: String?
    /// The MIME type of an item of type `mime`.
    package let contentType: String?
    /// True if it is not meant to be shown by itself.
    package let isHidden: Bool
    /// Bytes of its data; nil when it cannot be found.
    package let size: Int?
    /// In how many pieces its data lies.
    package let pieces: Int
    /// True if its data lies among the boxes (`idat`).
    package let isInline: Bool
    /// Width in pixels before it is turned.
    package let width: Int?
    /// Height in pixels before it is turned.
    package let height: Int?
    /// Its turn, as the number of Exif's tag; nil when no property says so.
    package let orientation: Int?
    /// Its properties in order.
    package let properties: [Property]
    /// The items that it refers to.
    package let references: [Reference]
  }

  /// A property of an item.
  package struct Property: Encodable, Hashable, Sendable {
    /// Its number; items that share it have the same one.
    package let number: Int
    /// Its type: `ispe`, `irot`, …
    package let type: String
    /// True if a reader must know it.
    package let isEssential: Bool
    /// Its value; nil where that is not read.
    package let value: String?
  }

  /// A link from an item to others.
  package struct Reference: Encodable, Hashable, Sendable {
    /// Its meaning: `dimg`, `thmb`, `auxl`, `cdsc`, …
    package let kind: String
    /// The items, or tracks, that it names.
    package let items: [UInt32]
  }

  /// Entities that belong together.
  package struct Group: Encodable, Hashable, Sendable {
    /// The relation between them: `altr`, `ster`, …
    package let kind: String
    /// Numbers of items, tracks or groups.
    package let members: [UInt32]
  }

  /// A track of an image sequence.
  package struct Track: Encodable, Hashable, Sendable {
    /// Its number.
    package let number: UInt32
    /// Its handler: `pict`, `auxv`, …
    package let handler: String
    /// The format of its samples: `hvc1`, `av01`, …
    package let format: String
    /// Width in pixels before it is turned.
    package let width: Int
    /// Height in pixels before it is turned.
    package let height: Int
    /// Its turn, as the number of Exif's tag; nil for a matrix that scales or shears.
    package let orientation: Int?
    /// The number of its pictures.
    package let sampleCount: Int
    /// Seconds.
    package let seconds: Double
    /// The tracks that it refers to.
    package let references: [Reference]
  }

  /// The coding of the photo's picture; nil when its parts do not fit together.
  package let coding: Coding?
  /// The number of the photo's item.
  package let primaryItem: UInt32
  /// All items in file order.
  package let items: [Item]
  /// The groups.
  package let groups: [Group]
  /// The tracks of the image sequence in the file; nil without one.
  package let tracks: [Track]?
}
