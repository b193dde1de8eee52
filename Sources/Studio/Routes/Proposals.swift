internal import Basics
internal import EditModel
internal import FoundationEssentials
internal import Workflows

/// The requests that an editor makes before it saves an edit.
extension Studio {
  private struct ParametersAnswer: Encodable {
    struct Parameter: Encodable {
      var name: String
      var group: String
      var minimum: Double
      var maximum: Double
      var neutral: Double
      var digits: Int
      var unit: String?
      var summary: Spoken
    }
    struct Look: Encodable {
      var name: String
      var summary: Spoken
    }
    var schema = 1
    var parameters: [Parameter]
    var looks: [Look]
  }

  private struct EditAnswer: Encodable {
    struct Movie: Encodable {
      var frames: [Double]
      var seconds: Double
      var keyPhoto: Double?
      var hasSound: Bool
    }
    var schema = 1
    var revision: String
    var edit: Edit
    var hasPhoto: Bool
    var movie: Movie?
  }

  private struct ProposalAnswer: Encodable {
    var schema = 1
    var edit: Edit
  }

  /// Handles `GET parameters`.
  func parameters() -> HTTPResponse {
    HTTPResponse(
      json: ParametersAnswer(
        parameters: Parameter.allCases.map { parameter in
          let about = parameter.description
          return ParametersAnswer.Parameter(
            name: parameter.rawValue, group: about.group.rawValue, minimum: about.range.lowerBound,
            maximum: about.range.upperBound, neutral: about.neutral, digits: about.digits, unit: about.unit,
            summary: Spoken(about.summary))
        },
        looks: BuiltInLook.allCases.map {
          ParametersAnswer.Look(name: $0.rawValue, summary: Spoken(Message($0.summary)))
        }))
  }

  /// Handles `POST presets`: saves an edit as one of the user's own presets.
  func savePreset(_ request: HTTPRequest) async throws(RouteError) -> HTTPResponse {
    struct Body: Decodable {
      var preset: String
      var summary: String?
      var edit: PartialEdit
    }
    let body: Body
    do {
      body = try request.decoded(Body.self)
    } catch {
      throw .usage("“edit” is not an edit that a preset can store")
    }
    guard !body.edit.isEmpty else { throw .usage("the edit changes nothing; change something first") }
    let words = body.summary ?? body.edit.applied(to: .identity).words.description
    let preset = Preset(name: body.preset, summary: words, edit: body.edit)
    try await liveEdit { () throws(EditError) in
      _ = try await withWorkerThread(about: nil) { _ throws(EditError) in try PresetLibrary().save(preset) }
    }
    return HTTPResponse(json: EmptyAnswer())
  }

  /// Handles `GET edit`: returns the edit from which the next edit of an asset starts.
  func currentEdit(_ asset: IndexedAsset) async throws(RouteError) -> HTTPResponse {
    let answer = try await liveEdit { () throws(EditError) in
      try await withWorkerThread(about: asset.path) { _ throws(EditError) in
        let base = try EditBase(of: asset)
        let movie = try base.source.editableMovie().map {
          EditAnswer.Movie(
            frames: $0.frames, seconds: $0.seconds, keyPhoto: $0.keyPhoto, hasSound: $0.hasSound)
        }
        return EditAnswer(
          revision: asset.revisionName, edit: base.edit, hasPhoto: base.source.files[.photo] != nil,
          movie: movie)
      }
    }
    return HTTPResponse(json: answer)
  }

  /// Handles `GET proposal`: returns an edit changed by a preset, by an analysis of the pictures, or by another asset's
  /// edit.
  func proposal(_ asset: IndexedAsset, _ request: HTTPRequest) async throws(RouteError) -> HTTPResponse {
    let query = request.query
    let edit = try edit(query["edit"] ?? "{}")
    let change: @Sendable (EditSource) throws(EditError) -> Edit
    if let name = query["preset"] {
      guard let intensity = Double(query["intensity"] ?? "1"), 0...1 ~= intensity else {
        throw .usage("“intensity” must be a number from 0 to 1")
      }
      let by = Self.function(
        applying: [try preset(name)], intensity: intensity, isReplacing: query["replace"] == "true")
      change = { source throws(EditError) in try by(edit, source) }
    } else if let text = query["white"] {
      let shares = text.split(separator: ",").compactMap { Double($0) }
      guard shares.count == 2, shares.allSatisfy({ 0...1 ~= $0 }) else {
        throw .usage("“white” must be two fractions from 0 to 1, such as 0.5,0.25")
      }
      let place = AutoJob.Place(x: shares[0], y: shares[1])
      change = { [renderer] source throws(EditError) in
        let job = AutoJob(photo: source.files[.photo], movie: source.files[.movie], greyPlace: place)
        return try renderer.propose(job, isCancelled: { request.isClosed() }).applied(to: edit, [.color])
      }
    } else if let text = query["auto"] {
      let parts = try Self.parts(
        text.isEmpty || text == "true" ? nil : text.split(separator: ",").map(String.init),
        among: AutoProposal.parts)
      change = { [renderer] source throws(EditError) in
        let job = AutoJob(photo: source.files[.photo], movie: source.files[.movie])
        return try renderer.propose(job, isCancelled: { request.isClosed() }).applied(to: edit, parts)
      }
    } else {
      change = { source throws(EditError) in try source.checked(edit) }
    }
    let changed = try await liveEdit { () throws(EditError) in
      try await withWorkerThread(about: asset.path) { _ throws(EditError) in
        try change(try EditBase(of: asset).source)
      }
    }
    return HTTPResponse(json: ProposalAnswer(edit: changed))
  }
}
