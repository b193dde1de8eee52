/// A displayable description of a HEIF file.
package struct HEIFInspection: Encodable, Hashable, Sendable {
  /// The coding of the photo's picture.
  package struct Coding: Encodable, Hashable, Sendable {
    /// The codec, such as `hvc1` or `av01`.
    package let codec: String
    /// The number of bits per sample.
    package let bitDepth: Int
    /// The chroma subsampling, such as `4:2:0`, or `grey`. The value is nil if the codec is not HEVC.
    package let subsampling: String?
    /// The number of tile columns.
    package let columns: Int
    /// The number of tile rows.
    package let rows: Int
    /// The width of a tile in pixels.
    package let tileWidth: Int
    /// The height of a tile in pixels.
    package let tileHeight: Int
  }

  /// An item of the file.
  package struct Item: Encodable, Hashable, Sendable {
    /// The ID of the item or track.
    package let number: UInt32
    /// The item's type, such as `hvc1`, `grid` or `Exif`.
    package let type: String
    /// The item's role, such as “photo”, “tile”, “thumbnail”, “gain map” or “XMP”, or nil if the role is unknown.
    package let role: String?
    /// The MIME type, if the item has the type `mime`.
    package let contentType: String?
    /// Whether the item is not intended to be displayed on its own.
    package let isHidden: Bool
    /// The size of the item's data in bytes, or nil if the data cannot be located.
    package let size: Int?
    /// The number of pieces into which the item's data is divided.
    package let pieces: Int
    /// Whether the item's data is stored in the `idat` box, inside `meta`.
    package let isInline: Bool
    /// The width in pixels before rotation.
    package let width: Int?
    /// The height in pixels before rotation.
    package let height: Int?
    /// The item's orientation as an Exif value, or nil if no property states the orientation.
    package let orientation: Int?
    /// The item's properties in order.
    package let properties: [Property]
    /// The item's references to other items.
    package let references: [Reference]
  }

  /// A property of an item.
  package struct Property: Encodable, Hashable, Sendable {
    /// The property's number. The number is the same for all items that share the property.
    package let number: Int
    /// The property's type, such as `ispe` or `irot`.
    package let type: String
    /// Whether a reader must support the property.
    package let isEssential: Bool
    /// The property's value, or nil if liveedit does not read properties of this type.
    package let value: String?
  }

  /// A reference from an item to other items.
  package struct Reference: Encodable, Hashable, Sendable {
    /// The kind of reference, such as `dimg`, `thmb`, `auxl` or `cdsc`.
    package let kind: String
    /// The items or tracks to which the reference points.
    package let items: [UInt32]
  }

  /// A group of related entities.
  package struct Group: Encodable, Hashable, Sendable {
    /// The kind of relation, such as `altr` or `ster`.
    package let kind: String
    /// The IDs of the items, tracks or groups that belong to the group.
    package let members: [UInt32]
  }

  /// A track of an image sequence.
  package struct Track: Encodable, Hashable, Sendable {
    /// The ID of the item or track.
    package let number: UInt32
    /// The track's handler, such as `pict` or `auxv`.
    package let handler: String
    /// The format of the track's samples, such as `hvc1` or `av01`.
    package let format: String
    /// The width in pixels before rotation.
    package let width: Int
    /// The height in pixels before rotation.
    package let height: Int
    /// The track's orientation as an Exif value, or nil if the track's matrix scales or shears the picture.
    package let orientation: Int?
    /// The number of pictures in the track.
    package let sampleCount: Int
    /// The duration in seconds.
    package let seconds: Double
    /// The track's references to other tracks.
    package let references: [Reference]
  }

  /// The coding of the photo's picture, or nil if the parts of the picture are inconsistent.
  package let coding: Coding?
  /// The ID of the item that contains the photo.
  package let primaryItem: UInt32
  /// All items in file order.
  package let items: [Item]
  /// The groups of related entities.
  package let groups: [Group]
  /// The tracks of the image sequence in the file, or nil if the file contains no image sequence.
  package let tracks: [Track]?
}
