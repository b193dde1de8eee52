import Basics
import EditLibrary
import EditModel

/// Looks for halves of Live Photos whose identifiers are lost, by what else they have in common.
///
/// Names and times propose what to compare, so that the work grows with the number of files and not with its square. Two
/// files belong together when nothing speaks against it, enough speaks for it, and nothing else fits either of them as well.
struct PairSearch {
  /// Two files that belong together.
  struct Match {
    let photo: LooseHalf
    let movie: LooseHalf
    let evidence: PairEvidence
    /// Copies of one of them.
    var copies: [LooseHalf] = []
  }

  /// The pairs that belong together.
  private(set) var matches: [Match] = []
  /// The pairs that look as if they did.
  private(set) var rest: [RepairPlan.Rest] = []

  private let likeness: RepairPlan.Likeness
  /// The files that found no other half, so far.
  private var photos: [LooseHalf] = []
  private var movies: [LooseHalf] = []
  /// Likenesses that are known, by both paths.
  private var known: [[String]: Double?] = [:]

  /// A movie is compared with so many photos at most, those whose names and times are nearest.
  private static let mostCandidates = 8
  /// Names of one root are compared one by one up to so many pairs.
  private static let mostNamed = 1 << 22
  /// Files of one time are compared up to so many pairs: a time that more have is no camera's, and says nothing.
  private static let mostTimed = 1 << 16
  /// Likenesses that differ by less decide nothing.
  private static let leastDifference = 0.02

  /// - Parameter likeness: compares a photo with a movie; nil where that cannot be done.
  init(likeness: @escaping RepairPlan.Likeness) { self.likeness = likeness }

  /// Looks at the files of one folder.
  mutating func look(at photos: [LooseHalf], _ movies: [LooseHalf]) throws(EditError) {
    let left = try match(photos, movies)
    self.photos += left.photos
    self.movies += left.movies
  }

  /// Looks at what was left of all folders.
  mutating func lookAcross() throws(EditError) {
    let before = rest
    rest = []
    (photos, movies) = try match(photos, movies)
    // What was said about one folder holds unless another one had the missing half.
    let found = Set(matches.flatMap { [$0.photo.path, $0.movie.path] + $0.copies.map(\.path) })
    let said = Set(rest.flatMap(\.files))
    rest += before.filter { problem in !problem.files.contains { found.contains($0) || said.contains($0) } }
  }

  /// A photo and a movie that may belong together, by their places in the lists.
  private struct Edge {
    let photo: Int
    let movie: Int
    var evidence: PairEvidence
  }

  private mutating func match(
    _ photos: [LooseHalf], _ movies: [LooseHalf]
  ) throws(EditError) -> (photos: [LooseHalf], movies: [LooseHalf]) {
    let proposed = Self.proposals(photos, movies)
    var edges = limited(proposed.filter(\.evidence.isCandidate))
    let perPhoto = Dictionary(grouping: edges, by: \.photo).mapValues(\.count)
    let perMovie = Dictionary(grouping: edges, by: \.movie).mapValues(\.count)
    for index in edges.indices {
      let edge = edges[index]
      let isAlone = perPhoto[edge.photo] == 1 && perMovie[edge.movie] == 1
      if edge.evidence.isTakeoutShared == true || edge.evidence.suffices && isAlone { continue }
      edges[index].evidence.likeness = try compared(photos[edge.photo].path, movies[edge.movie].path)
    }
    let rivals = edges.filter {
      $0.evidence.likeness == nil ? $0.evidence.suffices : $0.evidence.showsOneScene
    }
    let (chosen, unclear) = try Self.assignment(rivals, photos, movies)
    let (ofPhoto, ofMovie) = (
      Dictionary(grouping: rivals, by: \.photo), Dictionary(grouping: rivals, by: \.movie)
    )
    var done: (photos: Set<Int>, movies: Set<Int>) = ([], [])
    for edge in chosen {
      var match = Match(photo: photos[edge.photo], movie: movies[edge.movie], evidence: edge.evidence)
      done.photos.insert(edge.photo)
      done.movies.insert(edge.movie)
      for rival in ofMovie[edge.movie] ?? [] where rival.photo != edge.photo {
        if try HalfCopies.isCopy(photos[rival.photo], of: match.photo),
          done.photos.insert(rival.photo).inserted
        {
          match.copies.append(photos[rival.photo])
        }
      }
      for rival in ofPhoto[edge.photo] ?? [] where rival.movie != edge.movie {
        if try HalfCopies.isCopy(movies[rival.movie], of: match.movie),
          done.movies.insert(rival.movie).inserted
        {
          match.copies.append(movies[rival.movie])
        }
      }
      matches.append(match)
    }
    explain(proposed, edges, unclear, photos, movies, done)
    return (
      photos.indices.filter { !done.photos.contains($0) }.map { photos[$0] },
      movies.indices.filter { !done.movies.contains($0) }.map { movies[$0] }
    )
  }

  private mutating func compared(_ photo: String, _ movie: String) throws(EditError) -> Double? {
    if let known = known[[photo, movie]] { return known }
    let value = try likeness(photo, movie)
    known[[photo, movie]] = .some(value)
    return value
  }

  /// The pairs that names and times propose.
  private static func proposals(_ photos: [LooseHalf], _ movies: [LooseHalf]) -> [Edge] {
    var byRoot: [String: [Int]] = [:]
    var byTime: [Int: [Int]] = [:]
    func slots(_ half: LooseHalf) -> Set<Int> {
      Set([half.instant, half.wallClock].compactMap { $0 }.map { $0 / PairEvidence.mostApart })
    }
    for (index, photo) in photos.enumerated() {
      for name in photo.names { byRoot[name.root, default: []].append(index) }
      for slot in slots(photo) { byTime[slot, default: []].append(index) }
    }
    let moviesOfRoot = Dictionary(grouping: movies.flatMap(\.names), by: \.root).mapValues(\.count)
    let moviesOfSlot = Dictionary(grouping: movies.flatMap(slots), by: { $0 }).mapValues(\.count)
    var edges: [Edge] = []
    for (index, movie) in movies.enumerated() {
      var found: Set<Int> = []
      for name in movie.names {
        let named = byRoot[name.root] ?? []
        let isCrowded = named.count * (moviesOfRoot[name.root] ?? 0) > mostNamed
        found.formUnion(isCrowded ? named.filter { photos[$0].stem == movie.stem } : named)
      }
      for slot in slots(movie) {
        let near = (slot - 1...slot + 1).flatMap { byTime[$0] ?? [] }
        if near.count * (moviesOfSlot[slot] ?? 0) <= mostTimed { found.formUnion(near) }
      }
      edges += found.sorted().map { Edge(photo: $0, movie: index, evidence: PairEvidence(photos[$0], movie)) }
    }
    return edges
  }

  /// Of each movie's edges the likeliest.
  private func limited(_ edges: [Edge]) -> [Edge] {
    Dictionary(grouping: edges, by: \.movie).sorted { $0.key < $1.key }.flatMap { _, edges in
      edges.sorted { one, other in
        if one.evidence.names != other.evidence.names { return one.evidence.names > other.evidence.names }
        return (one.evidence.milliseconds ?? .max) < (other.evidence.milliseconds ?? .max)
      }.prefix(Self.mostCandidates)
    }
  }

  /// Chooses edges that are better than all others at both of their ends, again and again.
  private static func assignment(
    _ edges: [Edge], _ photos: [LooseHalf], _ movies: [LooseHalf]
  ) throws(EditError) -> (chosen: [Edge], unclear: [Edge]) {
    var left = Set(edges.indices)
    var ofPhoto = Dictionary(grouping: edges.indices, by: { edges[$0].photo })
    var ofMovie = Dictionary(grouping: edges.indices, by: { edges[$0].movie })
    var chosen: [Edge] = []
    // Only what lost a rival can have become better than all others.
    var changed = left
    while !changed.isEmpty {
      var best: [Int] = []
      edges: for index in changed.sorted() {
        let edge = edges[index]
        for other in (ofPhoto[edge.photo] ?? []) + (ofMovie[edge.movie] ?? []) where other != index {
          guard try isBetter(edge, than: edges[other], photos, movies) else { continue edges }
        }
        best.append(index)
      }
      changed = []
      for index in best {
        let edge = edges[index]
        chosen.append(edge)
        for gone in (ofPhoto.removeValue(forKey: edge.photo) ?? []) where left.remove(gone) != nil {
          let movie = edges[gone].movie
          ofMovie[movie]?.removeAll { $0 == gone }
          changed.formUnion(ofMovie[movie] ?? [])
        }
        for gone in (ofMovie.removeValue(forKey: edge.movie) ?? []) where left.remove(gone) != nil {
          let photo = edges[gone].photo
          ofPhoto[photo]?.removeAll { $0 == gone }
          changed.formUnion(ofPhoto[photo] ?? [])
        }
      }
      changed.formIntersection(left)
    }
    return (chosen, left.sorted().map { edges[$0] })
  }

  private static func isBetter(
    _ edge: Edge, than other: Edge, _ photos: [LooseHalf], _ movies: [LooseHalf]
  ) throws(EditError) -> Bool {
    let (one, two) = (edge.evidence, other.evidence)
    if (one.isTakeoutShared == true) != (two.isTakeoutShared == true) { return one.isTakeoutShared == true }
    // Originals go before what was made of them.
    let halves = [(photos[edge.photo], photos[other.photo]), (movies[edge.movie], movies[other.movie])]
    for (half, rival) in halves where half.path != rival.path {
      if try HalfCopies.isCopy(rival, of: half) { return true }
      if try HalfCopies.isCopy(half, of: rival) { return false }
    }
    if let here = one.likeness, let there = two.likeness, abs(here - there) >= leastDifference {
      return here > there
    }
    return one.names > two.names
  }

  /// Says why files stay alone that look as if they belonged together.
  private mutating func explain(
    _ proposed: [Edge], _ edges: [Edge], _ unclear: [Edge], _ photos: [LooseHalf], _ movies: [LooseHalf],
    _ done: (photos: Set<Int>, movies: Set<Int>)
  ) {
    let open = unclear.filter { !done.photos.contains($0.photo) && !done.movies.contains($0.movie) }
    var said: Set<String> = []
    for (movie, rivals) in Dictionary(grouping: open, by: \.movie).sorted(by: { $0.key < $1.key }) {
      let files = rivals.map { photos[$0.photo].path }.sorted() + [movies[movie].path]
      said.formUnion(files)
      rest.append(
        .init(
          files: files,
          problem: rivals.count > 1
            ? "match \(movies[movie].name) equally well, so liveedit cannot tell which photo belongs to it"
            : "match each other, but one of them matches another file equally well"))
    }
    let compared = Dictionary(
      edges.map { ([$0.photo, $0.movie], $0.evidence) }, uniquingKeysWith: { first, _ in first })
    for edge in proposed {
      let (photo, movie) = (photos[edge.photo], movies[edge.movie])
      guard edge.evidence.names == .same, photo.folder == movie.folder, !done.photos.contains(edge.photo),
        !done.movies.contains(edge.movie), said.isDisjoint(with: [photo.path, movie.path])
      else { continue }
      let evidence = compared[[edge.photo, edge.movie]] ?? edge.evidence
      rest.append(
        .init(files: [photo.path, movie.path], problem: "have the same name, but \(evidence.objection)"))
    }
  }
}

extension PairEvidence {
  /// Why two files of one name do not belong together, as far as is known.
  fileprivate var objection: Message {
    if isTakeoutShared == false { return "the Takeout files beside them describe different items" }
    if let milliseconds, milliseconds > Self.mostApart { return "were taken \(milliseconds / 1000) s apart" }
    if isCameraShared == false { return "were taken by different cameras" }
    if let metres, metres > Self.mostMetres { return "were taken \(Int(metres / 1000)) km apart" }
    if !isMovieOfLivePhoto { return "the movie is longer than the movie of a Live Photo" }
    if likeness != nil { return "do not show the same scene" }
    return "no other evidence shows that they belong together; if they do, pair them with liveedit pair"
  }
}
