import Basics
import EditLibrary
import EditModel

/// Finds halves of Live Photos whose identifiers are lost, using other shared properties.
///
/// Names and times determine which files to compare, so the work grows with the number of files rather than with its
/// square. Two files are paired if no evidence excludes the pair, the evidence for the pair is sufficient, and no other
/// file fits either of the two files equally well.
struct PairSearch {
  /// Two files that belong together.
  struct Match {
    let photo: LooseHalf
    let movie: LooseHalf
    let evidence: PairEvidence
    /// Copies of one of the two files.
    var copies: [LooseHalf] = []
  }

  /// The pairs of files that belong together.
  private(set) var matches: [Match] = []
  /// The files that seem to belong together but are not paired.
  private(set) var rest: [RepairPlan.Rest] = []

  private let likeness: RepairPlan.Likeness
  /// The files for which no other half has been found yet.
  private var photos: [LooseHalf] = []
  private var movies: [LooseHalf] = []
  /// The known similarities, keyed by the paths of the photo and the movie.
  private var known: [[String]: Double?] = [:]

  /// The maximum number of photos that are compared with a movie. The photos with the closest names and times are
  /// chosen.
  private static let mostCandidates = 8
  /// The number of pairs up to which files with the same root name are compared individually.
  private static let mostNamed = 1 << 22
  /// The number of pairs up to which files with the same time are compared. If more pairs share a time, the time was
  /// not set by a camera and is not evidence.
  private static let mostTimed = 1 << 16
  /// The smallest difference between similarities that decides between two files.
  private static let leastDifference = 0.02

  /// - Parameter likeness: Returns the similarity of a photo and a movie, or nil if they cannot be compared.
  init(likeness: @escaping RepairPlan.Likeness) { self.likeness = likeness }

  /// Pairs the files of one folder.
  mutating func look(at photos: [LooseHalf], _ movies: [LooseHalf]) throws(EditError) {
    let left = try match(photos, movies)
    self.photos += left.photos
    self.movies += left.movies
  }

  /// Pairs the files that remain in all folders.
  mutating func lookAcross() throws(EditError) {
    let before = rest
    rest = []
    (photos, movies) = try match(photos, movies)
    // A result for one folder remains valid unless the missing half was found in another folder.
    let found = Set(matches.flatMap { [$0.photo.path, $0.movie.path] + $0.copies.map(\.path) })
    let said = Set(rest.flatMap(\.files))
    rest += before.filter { problem in !problem.files.contains { found.contains($0) || said.contains($0) } }
  }

  /// A photo and a movie that may belong together, by their indices in the lists.
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

  /// Returns the pairs that names and times suggest.
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

  /// Returns the most likely edges of each movie.
  private func limited(_ edges: [Edge]) -> [Edge] {
    Dictionary(grouping: edges, by: \.movie).sorted { $0.key < $1.key }.flatMap { _, edges in
      edges.sorted { one, other in
        if one.evidence.names != other.evidence.names { return one.evidence.names > other.evidence.names }
        return (one.evidence.milliseconds ?? .max) < (other.evidence.milliseconds ?? .max)
      }.prefix(Self.mostCandidates)
    }
  }

  /// Repeatedly chooses edges that are better than all other edges at both ends.
  private static func assignment(
    _ edges: [Edge], _ photos: [LooseHalf], _ movies: [LooseHalf]
  ) throws(EditError) -> (chosen: [Edge], unclear: [Edge]) {
    var left = Set(edges.indices)
    var ofPhoto = Dictionary(grouping: edges.indices, by: { edges[$0].photo })
    var ofMovie = Dictionary(grouping: edges.indices, by: { edges[$0].movie })
    var chosen: [Edge] = []
    // Only an edge that has lost a competitor can have become the best edge.
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
    // Originals take precedence over files derived from them.
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

  /// Explains why files that seem to belong together are not paired.
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
            : "match each other, but one of the two matches another file equally well"))
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
  /// The known reason why two files with the same name do not belong together.
  fileprivate var objection: Message {
    if isTakeoutShared == false { return "the Takeout files beside them describe different items" }
    if let milliseconds, milliseconds > Self.mostApart { return "were taken \(milliseconds / 1000) s apart" }
    if isCameraShared == false { return "were taken by different cameras" }
    if let metres, metres > Self.mostMetres { return "were taken \(Int(metres / 1000)) km apart" }
    if !isMovieOfLivePhoto { return "the movie is too long for a Live Photo" }
    if likeness != nil { return "do not show the same scene" }
    return
      "no other evidence shows that they belong together; if they are a Live Photo, pair them with liveedit pair"
  }
}
