import Basics
import EditModel

/// A list of changes to a file, sorted in file order. The changes do not overlap.
struct HEIFChanges: Sendable {
  /// A range of the original file, and the bytes that replace this range.
  struct Change: Sendable {
    let range: Range<Int>
    let bytes: [UInt8]
    /// The number of bytes by which the change makes the file longer.
    var growth: Int { bytes.count - range.count }
  }

  /// The changes in file order.
  let all: [Change]
  /// The distances by which bytes move after the first change, after the first two changes, and so on.
  private let shifts: [Int]

  /// Sorts the changes and checks that they do not overlap.
  ///
  /// - Parameter changes: The changes in any order.
  /// - Throws: ``MediaError`` if changes overlap.
  init(_ changes: [Change]) throws {
    all = changes.sorted {
      ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
    }
    guard zip(all, all.dropFirst()).allSatisfy({ $0.range.upperBound <= $1.range.lowerBound }) else {
      throw HEIFComposition.entangled
    }
    var sum = 0
    shifts = all.map { change in
      sum += change.growth
      return sum
    }
  }

  /// Returns the number of changes that end at or before an offset.
  private func count(before place: Int) -> Int {
    all.partitioningIndex { $0.range.upperBound > place }
  }

  /// Returns the distance by which a byte moves because of the changes that precede the byte.
  func shift(_ place: Int) -> Int {
    let count = count(before: place)
    return count == 0 ? 0 : shifts[count - 1]
  }

  /// Returns the position at which a range begins after all changes have been applied.
  ///
  /// - Throws: ``MediaError`` if a change overlaps the range, or if bytes are inserted into the range.
  func moved(_ piece: Range<Int>) throws -> Int {
    let next = count(before: piece.lowerBound)
    // An empty range does not overlap any change.
    guard piece.isEmpty || next == all.count || all[next].range.lowerBound >= piece.upperBound else {
      throw HEIFComposition.entangled
    }
    return piece.lowerBound + shift(piece.lowerBound)
  }
}

/// A collection of file ranges, which may overlap. The ranges are represented by their sorted start and end offsets.
struct HEIFCoverage {
  private var starts: Ends
  private var ends: Ends

  /// Creates a collection of ranges.
  ///
  /// - Parameter ranges: The ranges. Empty ranges are ignored.
  init(_ ranges: some Sequence<Range<Int>>) {
    let ranges = ranges.filter { !$0.isEmpty }
    starts = Ends(ranges.map(\.lowerBound))
    ends = Ends(ranges.map(\.upperBound))
  }

  /// Removes a range from the collection.
  mutating func remove(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    starts.remove(range.lowerBound)
    ends.remove(range.upperBound)
  }

  /// Returns whether any of the ranges overlaps a given range.
  func overlaps(_ range: Range<Int>) -> Bool {
    !range.isEmpty && starts.count(below: range.upperBound) > ends.count(below: range.lowerBound + 1)
  }

  /// A multiset of numbers from which individual numbers can be removed, stored as a binary indexed tree over the
  /// sorted numbers.
  private struct Ends {
    private let sorted: [Int]
    /// The counts of removed numbers, accumulated as in a binary indexed tree.
    private var gone: [Int]

    init(_ numbers: [Int]) {
      sorted = numbers.sorted()
      gone = [Int](repeating: 0, count: numbers.count + 1)
    }

    /// Removes one occurrence of a number.
    mutating func remove(_ number: Int) {
      var place = sorted.partitioningIndex { $0 >= number } + 1
      while place < gone.count {
        gone[place] += 1
        place += place & -place
      }
    }

    /// Returns how many of the remaining numbers are less than a given number.
    func count(below number: Int) -> Int {
      let all = sorted.partitioningIndex { $0 >= number }
      var (count, place) = (all, all)
      while place > 0 {
        count -= gone[place]
        place &= place - 1
      }
      return count
    }
  }
}

extension [FileAtom] {
  /// Returns the atom that contains a range of bytes. The atoms must be in file order.
  func holder(of bytes: Range<Int>) -> FileAtom? {
    let next = partitioningIndex { $0.offset > bytes.lowerBound }
    return next > 0 && self[next - 1].holds(bytes) ? self[next - 1] : nil
  }
}
