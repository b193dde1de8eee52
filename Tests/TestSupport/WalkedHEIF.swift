import Foundation

/// What scripts/fixtures/walk-heif, which shares nothing with the project, reads of a HEIC file.
public struct WalkedHEIF: Decodable, Sendable {
  /// One item.
  public struct Item: Decodable, Sendable {
    /// Its four characters.
    public let type: String
    /// Whether it is hidden.
    public let hidden: Bool
    /// MIME type.
    public let contentType: String?
    /// Bytes of its data.
    public let size: Int
    /// SHA-256 of its data.
    public let sha: String
    /// How it is stored: 0 in the file, 1 in `idat`.
    public let method: Int
    /// Where its pieces begin in the file, and how long they are.
    public let places: [[Int]]
    /// Its properties in order.
    public let properties: [Property]

    /// The contents of its properties of one kind, in hexadecimal.
    public func contents(_ kind: String) -> [String] {
      properties.filter { $0.kind == kind }.map(\.content)
    }
  }

  /// One property of an item: kind, whether it is essential, content in hexadecimal.
  public struct Property: Decodable, Hashable, Sendable {
    /// Its four characters.
    public let kind: String
    /// Whether readers must know it.
    public let isEssential: Bool
    /// Its content in hexadecimal.
    public let content: String

    /// Reads the list of three.
    public init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      kind = try list.decode(String.self)
      isEssential = try list.decode(Int.self) != 0
      content = try list.decode(String.self)
    }
  }

  /// One reference or group: kind, from (references only), to.
  public struct Link: Decodable, Hashable, Sendable {
    /// Its four characters.
    public let kind: String
    /// The item that refers; 0 for a group.
    public let from: Int
    /// The items referred to.
    public let to: [Int]

    /// Reads the list of two or three.
    public init(from decoder: any Decoder) throws {
      var list = try decoder.unkeyedContainer()
      kind = try list.decode(String.self)
      from = list.count == 3 ? try list.decode(Int.self) : 0
      to = try list.decode([Int].self)
    }
  }

  /// The number of the photo's item.
  public let primary: Int
  /// The boxes in `meta`.
  public let parts: [String]
  /// All items by number.
  public let items: [String: Item]
  /// The links between items.
  public let references: [Link]
  /// The groups.
  public let groups: [Link]

  /// The item with a number.
  public subscript(id: Int) -> Item? { items[String(id)] }

  /// Walks a file.
  public static func read(_ file: URL) throws -> WalkedHEIF {
    let script = TestFiles.project.appendingPathComponent("scripts/fixtures/walk-heif").path
    let answer = try Tools.ask(["python3", script], about: file)
    guard answer.status == 0 else { throw ToolFailure("walk-heif said: \(answer.standardError)") }
    return try JSONDecoder().decode(WalkedHEIF.self, from: answer.standardOutput)
  }
}
