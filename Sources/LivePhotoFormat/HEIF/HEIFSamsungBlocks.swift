import Basics
import EditModel

/// Samsung's blocks in a HEIC photo.
extension HEIFComposition {
  /// Removes Samsung's blocks that may tell where the photo was taken, from boxes `sefd` and from behind the last box. A box
  /// that is damaged and other data behind the last box are removed as a whole. Only where the file is written in place.
  ///
  /// - Parameter isGone: returns the blocks that go.
  /// - Returns: their names.
  /// - Throws: ``MediaError`` when a box is too large to be looked through.
  mutating func removeSamsungPlaces(_ isGone: (SamsungBlocks) -> [SamsungBlocks.Block]) throws -> [String] {
    var names: [String] = []
    for place in file.samsungPlaces {
      guard let blocks = try SamsungBlocks(endOf: place.content, of: file.source) else {
        if let box = place.box {
          try SamsungTrailer.checkSize(box)
          droppedAtoms.insert(box.offset)
          names.append("Samsung's trailer")
        } else if !place.content.isEmpty {
          overwrites.append((place.content, []))
          if try holdsData(place.content) { names.append("data behind the picture") }
        }
        continue
      }
      let others = place.content.lowerBound..<blocks.start
      let isAnyOther = try place.box == nil && holdsData(others)
      if isAnyOther {
        names.append("data behind the picture")
        overwrites.append((others, []))
      }
      let gone = isGone(blocks)
      guard !gone.isEmpty else { continue }
      names += gone.map(\.title)
      let rest = try blocks.serialized(without: gone)
      if rest.isEmpty, let box = place.box {
        droppedAtoms.insert(box.offset)
      } else {
        overwrites.append((blocks.start..<place.content.upperBound, rest))
      }
    }
    return names
  }

  /// Changes dates in Samsung's blocks, and takes out the one of the country where the place changes. Only where the file is
  /// written in place.
  ///
  /// - Returns: the names of blocks that are gone.
  /// - Throws: ``MediaError`` when a box is damaged and too large to be looked through.
  mutating func changeSamsungBlocks(by rewrite: FactsRewrite) throws -> [String] {
    var names: [String] = []
    for place in file.samsungPlaces where rewrite.dates != nil || rewrite.facts.place != nil {
      guard let blocks = try SamsungBlocks(endOf: place.content, of: file.source) else {
        guard let box = place.box, let dates = rewrite.dates else { continue }
        try SamsungTrailer.checkSize(box)
        try change(place.content, dates)
        continue
      }
      let gone = try rewrite.facts.place == nil ? [] : blocks.ofPlace
      names += gone.map(\.title)
      if !gone.isEmpty {
        var rest = try blocks.serialized(without: gone)
        if let dates = rewrite.dates { SamsungTrailer.change(&rest, dates: dates) }
        overwrites.append((blocks.start..<place.content.upperBound, rest))
      } else if let dates = rewrite.dates {
        // A moment is short; others may hold whole movies.
        for block in blocks.blocks where block.range.count <= 4096 { try change(block.range, dates) }
      }
    }
    return names
  }

  /// Changes dates in a part of the file.
  private mutating func change(_ part: Range<Int>, _ dates: DateRewrite) throws {
    var bytes = try file.source.read(at: part.lowerBound, count: part.count)
    SamsungTrailer.change(&bytes, dates: dates)
    overwrites.append((part, bytes))
  }

  /// Leaves out Samsung's blocks that are not true of new pixels. Only where the file is written anew.
  ///
  /// - Returns: what is gone, and what follows the last box and is no such block.
  mutating func keepSamsungBlocks(after change: PictureChange) throws -> [Removal] {
    var removals: [Removal] = []
    for place in file.samsungPlaces {
      // What stands before the blocks behind the last box.
      var others = place.content
      var kept: [UInt8] = []
      if let blocks = try SamsungBlocks(endOf: place.content, of: file.source) {
        let stale = try blocks.stale(after: change)
        removals += stale.map { Removal(half: .photo, name: $0.block.title, reason: $0.reason) }
        kept = try blocks.serialized(without: stale.map(\.block))
        others = others.lowerBound..<blocks.start
        if let box = place.box, !stale.isEmpty {
          if kept.isEmpty { droppedAtoms.insert(box.offset) } else { otherContents[box.offset] = kept }
        }
      }
      guard place.box == nil else { continue }
      rest = kept
      if try file.source.read(at: others.lowerBound, count: others.count).contains(where: { $0 != 0 }) {
        removals.append(Removal(half: .photo, name: "data behind the picture", reason: PictureChange.stale))
      }
    }
    return removals
  }
}

extension HEIFFile {
  /// Where blocks of Samsung's phones may stand: in boxes `sefd`, and behind the last box.
  var samsungPlaces: [(content: Range<Int>, box: FileAtom?)] {
    let end = atoms.last?.range.upperBound ?? size
    return atoms.filter { $0.kind == "sefd" }.map { ($0.contentOffset..<$0.range.upperBound, $0) }
      + [(end..<size, nil)]
  }

  /// Samsung's blocks in the file.
  var samsungBlocks: [SamsungBlocks] {
    get throws { try samsungPlaces.compactMap { try SamsungBlocks(endOf: $0.content, of: source) } }
  }
}
