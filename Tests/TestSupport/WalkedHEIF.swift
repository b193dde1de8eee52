import Foundation

/// The structure of a HEIC file as read by scripts/fixtures/walk-heif, which is independent of the project's code.
public struct WalkedHEIF: Decodable, Sendable {
  /// An item of the file.
  public struct Item: Decodable, Sendable {
    /// The four-character code.
    public let type: String
    /// Whether the item is hidden.
    public let hidden: Bool
    /// The item's MIME type.
    public let contentType: String?
    /// The size of the item's data in bytes.
    public let size: Int
    /// The SHA-256 of the item's data.
    public let sha: String
    /// The item's storage method: 0 in the file, 1 in `idat`.
    public let method: Int
    /// The offset and length of each of the item's extents in the file.
    public let places: [[Int]]
    /// The item's properties, in order.
    public let properties: [Property]

    /// Returns the contents of the item's properties of one kind, in hexadecimal.
    public func contents(_ kind: String) -> [String] {
      properties.filter { $0.kind == kind }.map(\.content)
    }
  }

  /// A property of an item: its kind, whether it is essential, and its content in hexadecimal.
  public struct Property: Decodable, Hashable, Sendable {
    /// The four-character code.
    public let kind: String
    /// Whether readers must support the property.
    public let isEssential: Bool
    /// The property's content in hexadecimal.
    public let content: String

    /// Decodes the property from an array of three values.
    public init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      kind = try list.decode(String.self)
      isEssential = try list.decode(Int.self) != 0
      content = try list.decode(String.self)
    }
  }

  /// A reference or a group: its kind, its source (references only) and its targets.
  public struct Link: Decodable, Hashable, Sendable {
    /// The four-character code.
    public let kind: String
    /// The number of the item that refers to others; 0 for a group.
    public let from: Int
    /// The numbers of the items that are referred to.
    public let to: [Int]

    /// Decodes the link from an array of two or three values.
    public init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      kind = try list.decode(String.self)
      from = list.count == 3 ? try list.decode(Int.self) : 0
      to = try list.decode([Int].self)
    }
  }

  /// The number of the primary item, the photo.
  public let primary: Int
  /// The types of the boxes in `meta`.
  public let parts: [String]
  /// All items, keyed by number.
  public let items: [String: Item]
  /// The references between items.
  public let references: [Link]
  /// The groups of items.
  public let groups: [Link]

  /// Returns the item with the given number.
  public subscript(id: Int) -> Item? { items[String(id)] }

  /// Reads the structure of a file.
  public static func read(_ file: URL) throws -> WalkedHEIF {
    let script = TestFiles.project.appendingPathComponent("scripts/fixtures/walk-heif").path
    let answer = try Tools.ask(["python3", script], about: file)
    guard answer.status == 0 else { throw ToolFailure("walk-heif said: \(answer.standardError)") }
    return try JSONDecoder().decode(WalkedHEIF.self, from: answer.standardOutput)
  }
}
