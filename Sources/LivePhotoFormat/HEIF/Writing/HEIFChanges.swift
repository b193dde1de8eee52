import Basics
import EditModel

/// Changes of a file in file order, none of which lies over another one.
struct HEIFChanges: Sendable {
  /// A range of the original, and what stands there instead.
  struct Change: Sendable {
    let range: Range<Int>
    let bytes: [UInt8]
    /// How much longer the file becomes by it.
    var growth: Int { bytes.count - range.count }
  }

  /// The changes.
  let all: [Change]
  /// How far bytes move that stand behind the first of them, the first two, and so on.
  private let shifts: [Int]

  /// - Parameter changes: the changes in any order.
  /// - Throws: ``MediaError`` when they lie over each other.
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

  /// The number of changes that end at a place or before it.
  private func count(before place: Int) -> Int {
    all.partitioningIndex { $0.range.upperBound > place }
  }

  /// How far a byte moves that stands at a place behind the changes before it.
  func shift(_ place: Int) -> Int {
    let count = count(before: place)
    return count == 0 ? 0 : shifts[count - 1]
  }

  /// Where a piece begins then.
  ///
  /// - Throws: ``MediaError`` when a change lies across it, or what is put in parts it.
  func moved(_ piece: Range<Int>) throws -> Int {
    let next = count(before: piece.lowerBound)
    // Nothing overlaps an empty range.
    guard piece.isEmpty || next == all.count || all[next].range.lowerBound >= piece.upperBound else {
      throw HEIFComposition.entangled
    }
    return piece.lowerBound + shift(piece.lowerBound)
  }
}

/// Ranges of a file that may lie over each other, counted by their ends.
struct HEIFCoverage {
  private var starts: Ends
  private var ends: Ends

  /// - Parameter ranges: the ranges; those without bytes lie over nothing.
  init(_ ranges: some Sequence<Range<Int>>) {
    let ranges = ranges.filter { !$0.isEmpty }
    starts = Ends(ranges.map(\.lowerBound))
    ends = Ends(ranges.map(\.upperBound))
  }

  /// Takes away one of the ranges.
  mutating func remove(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    starts.remove(range.lowerBound)
    ends.remove(range.upperBound)
  }

  /// True if some of the ranges have bytes in common with another one.
  func overlaps(_ range: Range<Int>) -> Bool {
    !range.isEmpty && starts.count(below: range.upperBound) > ends.count(below: range.lowerBound + 1)
  }

  /// Numbers that are taken away one by one: a binary indexed tree over their order.
  private struct Ends {
    private let sorted: [Int]
    /// How many of the numbers before each place were taken away, summed up as the tree does.
    private var gone: [Int]

    init(_ numbers: [Int]) {
      sorted = numbers.sorted()
      gone = [Int](repeating: 0, count: numbers.count + 1)
    }

    /// Takes away one of the numbers that equal a number.
    mutating func remove(_ number: Int) {
      var place = sorted.partitioningIndex { $0 >= number } + 1
      while place < gone.count {
        gone[place] += 1
        place += place & -place
      }
    }

    /// How many numbers are left that are less than one.
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
  /// The atom that some bytes lie in, of atoms in file order.
  func holder(of bytes: Range<Int>) -> FileAtom? {
    let next = partitioningIndex { $0.offset > bytes.lowerBound }
    return next > 0 && self[next - 1].holds(bytes) ? self[next - 1] : nil
  }
}
