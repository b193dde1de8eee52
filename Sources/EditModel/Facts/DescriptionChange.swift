import Basics

/// A change of the descriptive metadata of an asset.
public struct DescriptionChange: Hashable, Sendable {
  /// The new title. An empty title removes it; nil leaves it unchanged.
  public var title: String?
  /// The new caption. An empty caption removes it; nil leaves it unchanged.
  public var caption: String?
  /// The changes to the keywords.
  public var keywords = WordChange()
  /// The number of stars, from 0 to 5. 0 means none; nil leaves the rating unchanged.
  public var rating: Int?
  /// The changes to the names of the people in the picture.
  public var persons = WordChange()

  /// A change that changes nothing.
  public static let neutral = DescriptionChange()
  /// The valid numbers of stars.
  public static let ratings = 0...5
  /// The maximum size of a text in bytes. No metadata field can store more, and most store less.
  public static let longestText = 20_000
  /// The maximum size of a keyword or a name in bytes.
  public static let longestWord = 1000
  /// The maximum number of keywords, and of names.
  public static let mostWords = 1000

  /// A change that changes nothing.
  public init() {}

  /// Whether nothing is changed.
  public var isNeutral: Bool { self == .neutral }

  /// Returns this change combined with an earlier one. The texts and the rating of this change replace those of the
  /// earlier change; word changes are merged.
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

/// Words that are added to a list, and words that are removed from it.
public struct WordChange: Hashable, Sendable {
  /// The words to add if the list does not contain them, in order.
  public private(set) var added: [String] = []
  /// The words to remove, sorted.
  public private(set) var removed: [String] = []

  /// A change that changes nothing.
  public init() {}

  /// Whether nothing is changed.
  public var isNeutral: Bool { added.isEmpty && removed.isEmpty }

  /// Adds a word.
  public mutating func add(_ word: String) {
    removed.removeAll { $0 == word }
    if !added.contains(word) { added.append(word) }
  }

  /// Removes a word.
  public mutating func remove(_ word: String) {
    added.removeAll { $0 == word }
    if !removed.contains(word) { removed = (removed + [word]).sorted() }
  }

  /// Returns this change combined with an earlier one.
  func after(_ first: WordChange) -> WordChange {
    var merged = first
    for word in removed { merged.remove(word) }
    for word in added { merged.add(word) }
    return merged
  }

  /// Returns a list after the change.
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
  /// - Returns: nil if the value contains anything invalid.
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
