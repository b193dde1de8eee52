/// A description of a HEIF file for display.
public struct HEIFInspection: Encodable, Hashable, Sendable {
  /// The coding of the photo's picture.
  public struct Coding: Encodable, Hashable, Sendable {
    /// `hvc1`, `av01`, …
    public let codec: String
    /// Bits a sample.
    public let bitDepth: Int
    /// `4:2:0` and so on, or `grey`; nil where the codec is not HEVC.
    public let subsampling: String?
    /// Tiles side by side.
    public let columns: Int
    /// Tiles one below the other.
    public let rows: Int
    /// Width of a tile in pixels.
    public let tileWidth: Int
    /// Height of a tile in pixels.
    public let tileHeight: Int
  }

  /// One item.
  public struct Item: Encodable, Hashable, Sendable {
    /// Its number.
    public let number: UInt32
    /// Its type: `hvc1`, `grid`, `Exif`, …
    public let type: String
    /// Its role: “photo”, “tile”, “thumbnail”, “gain map”, “XMP”, …; nil when nothing says so.
    public let role: String?
    /// The MIME type of an item of type `mime`.
    public let contentType: String?
    /// True if it is not meant to be shown by itself.
    public let isHidden: Bool
    /// Bytes of its data; nil when it cannot be found.
    public let size: Int?
    /// In how many pieces its data lies.
    public let pieces: Int
    /// True if its data lies among the boxes (`idat`).
    public let isInline: Bool
    /// Width in pixels before it is turned.
    public let width: Int?
    /// Height in pixels before it is turned.
    public let height: Int?
    /// Its turn, as the number of Exif's tag; nil when no property says so.
    public let orientation: Int?
    /// Its properties in order.
    public let properties: [Property]
    /// The items that it refers to.
    public let references: [Reference]
  }

  /// A property of an item.
  public struct Property: Encodable, Hashable, Sendable {
    /// Its number; items that share it have the same one.
    public let number: Int
    /// Its type: `ispe`, `irot`, …
    public let type: String
    /// True if a reader must know it.
    public let isEssential: Bool
    /// Its value; nil where that is not read.
    public let value: String?
  }

  /// A link from an item to others.
  public struct Reference: Encodable, Hashable, Sendable {
    /// Its meaning: `dimg`, `thmb`, `auxl`, `cdsc`, …
    public let kind: String
    /// The items, or tracks, that it names.
    public let items: [UInt32]
  }

  /// Entities that belong together.
  public struct Group: Encodable, Hashable, Sendable {
    /// The relation between them: `altr`, `ster`, …
    public let kind: String
    /// Numbers of items, tracks or groups.
    public let members: [UInt32]
  }

  /// A track of an image sequence.
  public struct Track: Encodable, Hashable, Sendable {
    /// Its number.
    public let number: UInt32
    /// Its handler: `pict`, `auxv`, …
    public let handler: String
    /// The format of its samples: `hvc1`, `av01`, …
    public let format: String
    /// Width in pixels before it is turned.
    public let width: Int
    /// Height in pixels before it is turned.
    public let height: Int
    /// Its turn, as the number of Exif's tag; nil for a matrix that scales or shears.
    public let orientation: Int?
    /// The number of its pictures.
    public let sampleCount: Int
    /// Seconds.
    public let seconds: Double
    /// The tracks that it refers to.
    public let references: [Reference]
  }

  /// The coding of the photo's picture; nil when its parts do not fit together.
  public let coding: Coding?
  /// The number of the photo's item.
  public let primaryItem: UInt32
  /// All items in file order.
  public let items: [Item]
  /// The groups.
  public let groups: [Group]
  /// The tracks of the image sequence in the file; nil without one.
  public let tracks: [Track]?
}
