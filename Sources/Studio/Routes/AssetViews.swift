internal import Basics
internal import EditModel
internal import FoundationEssentials
internal import Synchronization
internal import Workflows

/// The lists of assets that pages display: the assets, their order, their months and their aspect ratios. Other data is
/// read on request.
final class AssetViews: Sendable {
  /// A request for a list.
  struct Question: Hashable, Sendable {
    var filter = ""
    var sort = "-date"
    var showsHidden = false
  }

  /// A list of assets.
  struct View: Sendable {
    /// An asset of the list.
    struct Entry: Sendable {
      var folder: Int32
      /// 100 times the ratio of width to height; 0 if the ratio is unknown.
      var shape: UInt16
      /// The name of the asset's photo or movie.
      var name: String
    }

    /// A section of consecutive assets from the same month.
    struct Section: Sendable {
      /// The month, for example 2024-05; nil if the assets have no date or the list is not sorted by date.
      var month: String?
      var count = 0
    }

    let name: String
    let question: Question
    let made: ContinuousClock.Instant
    var entries: [Entry] = []
    var sections: [Section] = []
  }

  /// The maximum number of lists that are kept.
  private static let kept = 8
  /// The length of time for which a list may be reused for requests that do not name a list.
  private static let freshness = Duration.seconds(2)
  /// The number of assets that are read at a time.
  private static let page = 512

  private let folders: ServedFolders
  private let views = Mutex<[View]>([])
  /// The time of the last change that this server made or reported to its clients. Older lists are not reused.
  private let changed = Mutex(ContinuousClock.now)

  /// - Parameter folders: The served folders.
  init(_ folders: ServedFolders) { self.folders = folders }

  /// Returns a list that was created earlier.
  ///
  /// - Throws: ``RouteError/outdated(_:)`` if the list is no longer kept.
  func view(named name: String) throws(RouteError) -> View {
    guard let view = views.withLock({ $0.first { $0.name == name } }) else {
      throw .outdated("the list has expired; request the sections again")
    }
    return view
  }

  /// Records that assets have changed.
  func change() { changed.withLock { $0 = .now } }

  /// Returns a current list, or a list that is up to two seconds old if no change has become known since the list was
  /// created.
  func recent(_ question: Question) async throws(RouteError) -> View {
    let now = ContinuousClock.now
    let changed = changed.withLock { $0 }
    let known = views.withLock {
      $0.last { $0.question == question && now - $0.made < Self.freshness && $0.made > changed }
    }
    if let known { return known }
    return try await make(question)
  }

  /// Creates a list.
  func make(_ question: Question) async throws(RouteError) -> View {
    let options = try Self.options(question)
    await self.folders.refresh()
    let folders = folders.all
    var view = View(name: String(Secret().text.prefix(8)), question: question, made: .now)
    let isByDate = options.order.field == .date
    var months: [String?] = []
    var all: [IndexedAsset] = []
    for folder in folders {
      do throws(EditError) {
        let found = try await folder.library.fetch(options)
        var start = 0
        while start < found.count {
          let assets = try await found.assets(in: start..<min(start + Self.page, found.count))
          start += Self.page
          if folders.count > 1 {
            all += assets
          } else {
            Self.add(assets, folder.number, isByDate, &view, &months)
          }
        }
      } catch {
        // If several folders are served, a missing or unreadable folder does not affect the other folders.
        if folders.count == 1 { throw .failed(error) }
      }
    }
    if folders.count > 1 {
      let numbers = Dictionary(folders.map { ($0.path, $0.number) }, uniquingKeysWith: { first, _ in first })
      all.sort { options.order.areInOrder($0, $1) }
      for asset in all { Self.add([asset], numbers[asset.folder] ?? 0, isByDate, &view, &months) }
    }
    for month in months {
      if view.sections.isEmpty || view.sections[view.sections.count - 1].month != month {
        view.sections.append(View.Section(month: month))
      }
      view.sections[view.sections.count - 1].count += 1
    }
    let made = view
    views.withLock { views in
      views.removeAll { $0.question == question && .now - $0.made > .seconds(600) }
      views.append(made)
      if views.count > Self.kept { views.removeFirst() }
    }
    return made
  }

  private static func add(
    _ assets: [IndexedAsset], _ folder: Int, _ isByDate: Bool, _ view: inout View, _ months: inout [String?]
  ) {
    for asset in assets {
      view.entries.append(
        View.Entry(folder: Int32(folder), shape: asset.metadata.shape, name: asset.name))
      months.append(isByDate ? asset.metadata.created.map { String($0.text.prefix(7)) } : nil)
    }
  }

  private static func options(_ question: Question) throws(RouteError) -> AssetQuery {
    var options = AssetQuery(includesHidden: question.showsHidden)
    if !question.filter.isEmpty {
      do throws(FilterError) {
        options.filter = try AssetFilter(question.filter)
      } catch {
        throw .usage(
          "the filter is invalid at character \(error.position + 1): \(error.message)")
      }
    }
    let isDescending = question.sort.hasPrefix("-")
    let name = isDescending ? String(question.sort.dropFirst()) : question.sort
    guard let field = AssetField(rawValue: name), field.isSortable else {
      throw .usage("assets cannot be sorted by “\(question.sort)”")
    }
    options.order = AssetQuery.Order(field, isDescending: isDescending)
    return options
  }
}

extension AssetMetadata {
  /// 100 times the displayed ratio of width to height; 0 if the ratio is unknown.
  var shape: UInt16 {
    guard let width, let height, width > 0, height > 0 else { return 0 }
    return UInt16(min(max(1, (Double(width) / Double(height) * 100).rounded()), 65535))
  }
}
