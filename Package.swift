// swift-tools-version: 6.0
import PackageDescription

/// An import is for the file's own use unless it says `package` or `public`.
let internalImports: [SwiftSetting] = [.enableUpcomingFeature("InternalImportsByDefault")]

/// The rooms that go over every pixel, or every byte of a text, are optimised in debug builds too where LIVEEDIT_OPTIMIZE is set, as
/// scripts/test does, and so are their tests, whose references go over pixels too; all checks stay. SwiftPM takes such flags
/// from a root package alone, so nothing sets them for programs that depend on this one.
let isOptimized = Context.environment["LIVEEDIT_OPTIMIZE"] != nil
let optimized: [SwiftSetting] =
  isOptimized
  ? [.unsafeFlags(["-O"], .when(configuration: .debug))]
  : []

/// The rooms that read files are so for scripts/fuzz alone, which runs them for hours: tests win no more by it than their
/// build loses.
let isFuzzed = Context.environment["LIVEEDIT_FUZZ"] != nil
let optimizedReaders = isFuzzed ? optimized : []

/// Where scripts/test --sanitize builds, the helper's memory is not limited, since the sanitizer's shadow of it counts as
/// memory, and every program has the sanitizer's options in it.
let isSanitized = Context.environment["LIVEEDIT_SANITIZE"] != nil
let sanitized: [SwiftSetting] = isSanitized ? [.define("SANITIZED")] : []
let sanitizerOptions: [Target] =
  isSanitized ? [.target(name: "SanitizerOptions", path: "Tests/SanitizerOptions")] : []

/// What confining the helper costs is measured beside a build that does without, see scripts/compare-builds. `liveedit version --verbose`
/// says of such a build that nothing is in force.
let unconfined: [SwiftSetting] =
  Context.environment["LIVEEDIT_UNCONFINED"] != nil ? [.define("UNCONFINED")] : []

/// The program of scripts/fuzz, which links libFuzzer as its `main`, is there where LIVEEDIT_FUZZ is set alone.
let fuzzing: [Target] =
  !isFuzzed
  ? []
  : [
    .target(name: "FuzzMemory", path: "Tests/FuzzMemory"),
    .executableTarget(
      name: "liveedit-fuzz", dependencies: ["FuzzMemory", "FuzzTargets"], path: "Tests/FuzzMain"),
  ]

let package = Package(
  name: "liveedit",
  products: [
    .library(name: "LiveEdit", targets: ["LiveEdit"]),
    .library(name: "RenderEngine", targets: ["RenderEngine"]),
    .executable(name: "liveedit", targets: ["liveedit"]),
    .executable(name: "liveedit-render", targets: ["liveedit-render"]),
    .executable(name: "liveedit-studio", targets: ["liveedit-studio"]),
  ],
  targets: [
    .systemLibrary(
      name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
    .systemLibrary(
      name: "CFFmpeg", pkgConfig: "libavformat libavcodec libswresample libswscale libavutil",
      providers: [
        .apt(["libavformat-dev", "libavcodec-dev", "libswresample-dev", "libswscale-dev", "libavutil-dev"])
      ]),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CLCMS", pkgConfig: "lcms2", providers: [.apt(["liblcms2-dev"])]),
    .systemLibrary(name: "CPango", pkgConfig: "pangocairo", providers: [.apt(["libpango1.0-dev"])]),
    .systemLibrary(
      name: "CMicroHTTP", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
    .systemLibrary(name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
    .systemLibrary(name: "CLinux"),
    .target(
      name: "CPixelKernels",
      cSettings: isOptimized ? [.unsafeFlags(["-O2"], .when(configuration: .debug))] : []),
    .target(name: "Basics", swiftSettings: optimized),
    .target(name: "CLanguages", exclude: ["de.mo", "es.mo", "it.mo", "ru.mo", "po"]),
    .target(name: "Languages", dependencies: ["Basics", "CLanguages"], swiftSettings: internalImports),
    .target(name: "EditModel", dependencies: ["Basics", "CZlib"], swiftSettings: optimizedReaders),
    .target(
      name: "LivePhotoFormat", dependencies: ["Basics", "EditModel"], swiftSettings: optimizedReaders),
    .target(
      name: "FileSystem",
      dependencies: ["Basics", "CLinux"] + sanitizerOptions.map { .target(name: $0.name) },
      swiftSettings: internalImports),
    .target(
      name: "Confinement", dependencies: ["Basics", "EditModel", "FileSystem", "CLinux", "CSeccomp"],
      swiftSettings: internalImports + sanitized + unconfined),
    .target(
      name: "Rendering", dependencies: ["Basics", "EditModel", "CLCMS", "CPixelKernels"],
      swiftSettings: optimized),
    .target(
      name: "Codecs",
      dependencies: [
        "Basics", "EditModel", "FileSystem", "Rendering", "CTurboJPEG", "CFFmpeg", "CPango", "CZlib",
        "CLinux",
      ],
      swiftSettings: optimized),
    .target(
      name: "Matching", dependencies: ["Basics", "EditModel", "Rendering", "CPixelKernels"],
      swiftSettings: optimized + internalImports),
    .target(
      name: "RenderEngine",
      dependencies: [
        "Basics", "LivePhotoFormat", "EditModel", "FileSystem", "Rendering", "Matching", "Codecs",
      ]),
    .target(
      name: "EditLibrary",
      dependencies: ["Basics", "EditModel", "LivePhotoFormat", "FileSystem", "CCrypto", "CSQLite"],
      swiftSettings: internalImports),
    .target(
      name: "BuiltInPresets", path: "Presets", exclude: ["README.md"],
      resources: [
        .embedInCode("natural.json"),
        .embedInCode("vivid.json"),
        .embedInCode("warm.json"),
        .embedInCode("cool.json"),
        .embedInCode("faded.json"),
        .embedInCode("matte.json"),
        .embedInCode("high-contrast.json"),
        .embedInCode("soft.json"),
        .embedInCode("backlight.json"),
        .embedInCode("landscape.json"),
        .embedInCode("clear-air.json"),
        .embedInCode("deep-blue.json"),
        .embedInCode("autumn.json"),
        .embedInCode("skin.json"),
        .embedInCode("food.json"),
        .embedInCode("night.json"),
        .embedInCode("golden-hour.json"),
        .embedInCode("blue-hour.json"),
        .embedInCode("slide-film.json"),
        .embedInCode("cinema.json"),
        .embedInCode("mono.json"),
        .embedInCode("mono-soft.json"),
        .embedInCode("mono-dramatic.json"),
        .embedInCode("mono-red-filter.json"),
        .embedInCode("sepia.json"),
      ]),
    .target(
      name: "LiveEdit",
      dependencies: [
        "Basics", "BuiltInPresets", "EditLibrary", "EditModel", "LivePhotoFormat", "FileSystem",
      ],
      resources: [
        .embedInCode("Export/Page/preview-asset.html"),
        .embedInCode("Export/Page/preview.css"),
        .embedInCode("Export/Page/preview.html"),
        .embedInCode("Export/Page/preview.js"),
      ]),
    .target(
      name: "Studio",
      dependencies: ["Basics", "Languages", "LiveEdit", "EditModel", "FileSystem", "CMicroHTTP"],
      resources: [
        .embedInCode("Page/actions.js"),
        .embedInCode("Page/albums.js"),
        .embedInCode("Page/api.js"),
        .embedInCode("Page/assets.js"),
        .embedInCode("Page/compare.js"),
        .embedInCode("Page/dialog.js"),
        .embedInCode("Page/dom.js"),
        .embedInCode("Page/editcrop.js"),
        .embedInCode("Page/editcurve.js"),
        .embedInCode("Page/editdial.js"),
        .embedInCode("Page/editdraft.js"),
        .embedInCode("Page/editeffect.js"),
        .embedInCode("Page/editengine.js"),
        .embedInCode("Page/editmotion.js"),
        .embedInCode("Page/editor.css"),
        .embedInCode("Page/editor.js"),
        .embedInCode("Page/editpanel.js"),
        .embedInCode("Page/editpreview.js"),
        .embedInCode("Page/editslider.js"),
        .embedInCode("Page/edittables.js"),
        .embedInCode("Page/english.js"),
        .embedInCode("Page/enter.js"),
        .embedInCode("Page/events.js"),
        .embedInCode("Page/facts.js"),
        .embedInCode("Page/grid.js"),
        .embedInCode("Page/icon.svg"),
        .embedInCode("Page/index.html"),
        .embedInCode("Page/keys.js"),
        .embedInCode("Page/layout.js"),
        .embedInCode("Page/livephoto.js"),
        .embedInCode("Page/main.js"),
        .embedInCode("Page/presetdialog.js"),
        .embedInCode("Page/presets.js"),
        .embedInCode("Page/removals.js"),
        .embedInCode("Page/scrubber.js"),
        .embedInCode("Page/search.js"),
        .embedInCode("Page/selection.js"),
        .embedInCode("Page/share.js"),
        .embedInCode("Page/sharedstream.js"),
        .embedInCode("Page/strings.js"),
        .embedInCode("Page/style.css"),
        .embedInCode("Page/tile.js"),
        .embedInCode("Page/tray.js"),
        .embedInCode("Page/versions.js"),
        .embedInCode("Page/viewer.js"),
      ],
      swiftSettings: internalImports),
    .executableTarget(name: "liveedit-studio", dependencies: ["Basics", "Studio", "LiveEdit", "FileSystem"]),
    .target(
      name: "RenderHelper",
      dependencies: ["Basics", "Confinement", "RenderEngine", "EditModel", "FileSystem"],
      swiftSettings: internalImports),
    .executableTarget(name: "liveedit-render", dependencies: ["RenderHelper"]),
    .executableTarget(
      name: "liveedit",
      dependencies: ["Basics", "Languages", "LiveEdit", "EditModel", "FileSystem"]),
    .executableTarget(
      name: "example-false-colour", dependencies: ["LiveEdit", "RenderEngine"], path: "Examples/FalseColour"),
    .executableTarget(
      name: "example-turn-all", dependencies: ["LiveEdit", "RenderEngine"], path: "Examples/TurnAll"),
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: sanitized + optimized),
    .executableTarget(
      name: "failing-calls", dependencies: ["Basics", "EditLibrary", "FileSystem"], path: "Tests/FailingCalls"
    ),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "Basics", "Codecs", "EditLibrary", "EditModel", "FileSystem", "LiveEdit", "LivePhotoFormat", "Studio",
      ],
      path: "Tests/Fuzzing", exclude: ["Findings"], swiftSettings: optimized),
    .target(name: "Attempts", path: "Tests/Attempts", linkerSettings: [.linkedLibrary("dl")]),
    .executableTarget(
      name: "attacked-helper",
      dependencies: ["Attempts", "Basics", "EditModel", "FileSystem", "RenderHelper"],
      path: "Tests/AttackedHelper"),
    .testTarget(
      name: "ConfinementTests",
      dependencies: [
        "Attempts", "EditModel", "FileSystem", "attacked-helper", "liveedit", "liveedit-render",
        "TestSupport",
      ],
      swiftSettings: sanitized),
    .testTarget(name: "LanguagesTests", dependencies: ["Basics", "Languages", "TestSupport"]),
    .testTarget(name: "EditModelTests", dependencies: ["Basics", "EditModel", "TestSupport"]),
    .testTarget(
      name: "LivePhotoFormatTests", dependencies: ["Basics", "LivePhotoFormat", "EditModel", "TestSupport"]),
    .testTarget(
      name: "RenderingTests",
      dependencies: ["Basics", "Rendering", "EditModel", "CPixelKernels", "TestSupport"],
      swiftSettings: optimized),
    .testTarget(
      name: "CodecsTests", dependencies: ["Basics", "Codecs", "Rendering", "EditModel", "TestSupport"],
      swiftSettings: optimized),
    .testTarget(
      name: "MatchingTests", dependencies: ["Basics", "Matching", "Rendering", "EditModel", "TestSupport"],
      swiftSettings: optimized),
    .testTarget(
      name: "RenderEngineTests",
      dependencies: [
        "Basics", "RenderEngine", "Codecs", "LivePhotoFormat", "Rendering", "EditModel", "FileSystem",
        "TestSupport",
      ],
      swiftSettings: optimized),
    .testTarget(
      name: "FileSystemTests",
      dependencies: ["Basics", "FileSystem", "TestSupport", "failing-calls", "liveedit-render"]),
    .testTarget(
      name: "EditLibraryTests",
      dependencies: ["Basics", "EditLibrary", "EditModel", "FileSystem", "TestSupport"]),
    .testTarget(
      name: "LiveEditTests",
      dependencies: [
        "Basics", "BuiltInPresets", "LiveEdit", "RenderEngine", "EditLibrary", "EditModel", "FileSystem",
        "liveedit-render", "TestSupport",
      ]),
    .testTarget(
      name: "StudioTests",
      dependencies: [
        "Basics", "Studio", "LiveEdit", "EditModel", "FileSystem", "liveedit", "liveedit-render",
        "liveedit-studio", "TestSupport",
      ]),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "Basics", "liveedit", "liveedit-render", "liveedit-studio", "example-false-colour",
        "example-turn-all", "LiveEdit",
        "EditModel",
        "TestSupport",
      ]),
    .testTarget(name: "FuzzingTests", dependencies: ["FuzzTargets", "TestSupport"]),
  ] + fuzzing + sanitizerOptions,
  swiftLanguageModes: [.v6]
)
