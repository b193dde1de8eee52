import Basics

/// A change of what people say about an asset.
public struct DescriptionChange: Hashable, Sendable {
  /// The title; an empty one takes it away, and nil leaves it.
  public var title: String?
  /// The caption, likewise.
  public var caption: String?
  /// The keywords.
  public var keywords = WordChange()
  /// The number of stars, 0 to 5; 0 means none, and nil leaves it.
  public var rating: Int?
  /// The names of the people in the picture.
  public var persons = WordChange()

  /// Nothing is changed.
  public static let neutral = DescriptionChange()
  /// Numbers of stars.
  public static let ratings = 0...5
  /// The most bytes of a text: no field of a file takes more, and most take less.
  public static let longestText = 20_000
  /// The most bytes of a keyword or a name.
  public static let longestWord = 1000
  /// The most keywords or names.
  public static let mostWords = 1000

  /// Nothing is changed.
  public init() {}

  /// True if nothing is changed.
  public var isNeutral: Bool { self == .neutral }

  /// This change after another: what it sets takes the place of what was set, and words come together.
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

/// Words that are added to a list, and words that are taken out of it.
public struct WordChange: Hashable, Sendable {
  /// The words that are added where they are not there yet, in their order.
  public private(set) var added: [String] = []
  /// The words that are taken out, sorted.
  public private(set) var removed: [String] = []

  /// Nothing is changed.
  public init() {}

  /// True if nothing is changed.
  public var isNeutral: Bool { added.isEmpty && removed.isEmpty }

  /// Adds a word.
  public mutating func add(_ word: String) {
    removed.removeAll { $0 == word }
    if !added.contains(word) { added.append(word) }
  }

  /// Takes a word out.
  public mutating func remove(_ word: String) {
    added.removeAll { $0 == word }
    if !removed.contains(word) { removed = (removed + [word]).sorted() }
  }

  /// This change after another.
  func after(_ first: WordChange) -> WordChange {
    var merged = first
    for word in removed { merged.remove(word) }
    for word in added { merged.add(word) }
    return merged
  }

  /// A list after the change.
  ///
  /// - Parameter words: the list.
  public func applied(to words: [String]) -> [String] {
    let kept = words.filter { !removed.contains($0) }
    return kept + added.filter { !kept.contains($0) }
  }
}

extension DescriptionChange {
  /// The names of the parts that are changed.
  var canonicalJSON: JSONValue {
    var members: [String: JSONValue] = [:]
    if let title { members["title"] = .string(title) }
    if let caption { members["caption"] = .string(caption) }
    if let rating { members["rating"] = .integer(rating) }
    if !keywords.isNeutral { members["keywords"] = keywords.canonicalJSON }
    if !persons.isNeutral { members["persons"] = persons.canonicalJSON }
    return .object(members)
  }

  /// Reads what ``canonicalJSON`` writes.
  ///
  /// - Returns: nil when something in it is impossible.
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
