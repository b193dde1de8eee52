internal import Basics

/// Why a request is not answered as it was meant.
enum RouteError: Error, Sendable {
  /// The request makes no sense; a clause.
  case usage(Message, status: Int = 400)
  /// There is no such route or thing; a sentence.
  case notFound(Message)
  /// Who asks has not shown that they may.
  case unauthorized(Message)
  /// Nobody may ask this.
  case forbidden(Message)
  /// Too much at once.
  case busy
  /// It was given up.
  case cancelled
  /// The list that a request refers to is forgotten.
  case outdated(Message)
  /// The words of LiveEdit.
  case failed(EditError)

  /// The status of HTTP.
  var status: Int {
    switch self {
    case .usage(_, let status): status
    case .notFound: 404
    case .unauthorized: 401
    case .forbidden: 403
    case .busy, .cancelled: 503
    case .outdated: 409
    case .failed(let error):
      switch error.code {
      case .notFound: 404
      case .conflict, .inTheWay, .changedOriginal: 409
      case .invalidFile, .unsupported, .pairing, .invalidEdit: 422
      case .cancelled: 503
      case .fileSystem, .damagedLibrary, .unfinished, .renderer, .frameProcessor: 500
      }
    }
  }

  /// The failure as an error of LiveEdit's, with the code that answers have.
  var parts: (code: String, error: EditError) {
    switch self {
    case .usage(let clause, _):
      ("usage", EditError(.invalidEdit, clause, remedy: "see Documentation/HTTP.md"))
    case .notFound(let clause): ("notFound", EditError(.notFound, clause))
    case .unauthorized(let clause):
      ("unauthorized", EditError(.fileSystem, clause, remedy: "open the address that the server printed"))
    case .forbidden(let clause): ("forbidden", EditError(.fileSystem, clause))
    case .busy: ("busy", EditError(.fileSystem, "too many requests at once", remedy: "try again"))
    case .cancelled:
      (
        "cancelled",
        EditError(.cancelled, "the request was cancelled", remedy: "send it again if you still need it")
      )
    case .outdated(let clause): ("conflict", EditError(.conflict, clause))
    case .failed(let error): (error.code.rawValue, error)
    }
  }
}

/// The object that tells of a failure.
struct FailureAnswer: Encodable {
  struct Parts: Encodable {
    var code: String
    var file: String?
    var problem: Spoken
    var remedy: Spoken?
  }
  var schema = 1
  var status = "failed"
  var message: Spoken
  var error: Parts

  init(_ error: RouteError) {
    let (code, parts) = error.parts
    message = Spoken(parts.message)
    self.error = Parts(
      code: code, file: parts.file, problem: Spoken(parts.problem), remedy: parts.remedy.map { Spoken($0) })
  }
}
