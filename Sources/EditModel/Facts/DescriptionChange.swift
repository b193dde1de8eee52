import Basics

/// A change to the descriptive metadata of an asset.
public struct DescriptionChange: Hashable, Sendable {
  /// The new title. An empty string removes the title; nil leaves the title unchanged.
  public var title: String?
  /// The new caption. An empty string removes the caption; nil leaves the caption unchanged.
  public var caption: String?
  /// The changes to the keywords.
  public var keywords = WordChange()
  /// The number of stars, from 0 to 5; 0 stands for no rating, and nil leaves the rating unchanged.
  public var rating: Int?
  /// The changes to the names of the people in the picture.
  public var persons = WordChange()

  /// A change without any effect.
  public static let neutral = DescriptionChange()
  /// The valid numbers of stars.
  public static let ratings = 0...5
  /// The maximum length, in bytes, of a title or a caption. No metadata field can store a longer string, and most
  /// fields store less.
  public static let longestText = 20_000
  /// The maximum size in bytes of a keyword or of a person's name.
  public static let longestWord = 1000
  /// The maximum number of keywords, and the maximum number of names.
  public static let mostWords = 1000

  /// A change without any effect.
  public init() {}

  /// Whether nothing is changed.
  public var isNeutral: Bool { self == .neutral }

  /// Returns this change combined with an earlier change. This change's title, caption and rating replace those of the
  /// earlier change. Changes to keywords and names are merged.
  public func after(_ first: DescriptionChange) -> DescriptionChange {
    var merged = first
    merged.title = title ?? first.title
    merged.caption = caption ?? first.caption
    merged.rating = rating ?? first.rating
    merged.keywords = keywords.after(first.keywords)
    merged.persons = persons.after(first.persons)
    return merged
  }
}

/// A change to a list of words: the words to add, and the words to remove.
public struct WordChange: Hashable, Sendable {
  /// The words to add if the list does not contain them, in order.
  public private(set) var added: [String] = []
  /// The words to remove, sorted.
  public private(set) var removed: [String] = []

  /// A change without any effect.
  public init() {}

  /// Whether nothing is changed.
  public var isNeutral: Bool { added.isEmpty && removed.isEmpty }

  /// Adds a word to the list.
  public mutating func add(_ word: String) {
    removed.removeAll { $0 == word }
    if !added.contains(word) { added.append(word) }
  }

  /// Removes a word from the list.
  public mutating func remove(_ word: String) {
    added.removeAll { $0 == word }
    if !removed.contains(word) { removed = (removed + [word]).sorted() }
  }

  /// Returns this change combined with an earlier change.
  func after(_ first: WordChange) -> WordChange {
    var merged = first
    for word in removed { merged.remove(word) }
    for word in added { merged.add(word) }
    return merged
  }

  /// Returns a list of words after the change.
  ///
  /// - Parameter words: The list before the change.
  public func applied(to words: [String]) -> [String] {
    let kept = words.filter { !removed.contains($0) }
    return kept + added.filter { !kept.contains($0) }
  }
}

extension DescriptionChange {
  /// The parts that are changed, by name.
  var canonicalJSON: JSONValue {
    var members: [String: JSONValue] = [:]
    if let title { members["title"] = .string(title) }
    if let caption { members["caption"] = .string(caption) }
    if let rating { members["rating"] = .integer(rating) }
    if !keywords.isNeutral { members["keywords"] = keywords.canonicalJSON }
    if !persons.isNeutral { members["persons"] = persons.canonicalJSON }
    return .object(members)
  }

  /// Reads the output of ``canonicalJSON``.
  ///
  /// - Returns: nil if the value contains invalid parts.
  init?(stored value: JSONValue) {
    self.init()
    title = value["title"]?.text
    caption = value["caption"]?.text
    guard [title, caption].allSatisfy({ $0.map { $0.utf8.count <= Self.longestText } ?? true }) else {
      return nil
    }
    if let stored = value["rating"] {
      guard case .integer(let number) = stored, let stars = Int(exactly: number), Self.ratings.contains(stars)
      else { return nil }
      rating = stars
    }
    if let stored = value["keywords"] {
      guard let change = WordChange(stored: stored) else { return nil }
      keywords = change
    }
    if let stored = value["persons"] {
      guard let change = WordChange(stored: stored) else { return nil }
      persons = change
    }
  }
}

extension WordChange {
  fileprivate var canonicalJSON: JSONValue {
    var members: [String: JSONValue] = [:]
    if !added.isEmpty { members["added"] = .array(added.map { .string($0) }) }
    if !removed.isEmpty { members["removed"] = .array(removed.map { .string($0) }) }
    return .object(members)
  }

  fileprivate init?(stored value: JSONValue) {
    func words(_ name: String) -> [String]? {
      guard let list = value[name] else { return [] }
      guard case .array(let elements) = list, elements.count <= DescriptionChange.mostWords else {
        return nil
      }
      let words = elements.compactMap(\.text)
      let isSound = words.allSatisfy { !$0.isEmpty && $0.utf8.count <= DescriptionChange.longestWord }
      return words.count == elements.count && isSound ? words : nil
    }
    guard let added = words("added"), let removed = words("removed") else { return nil }
    self.init()
    for word in removed { remove(word) }
    for word in added { add(word) }
  }
}
