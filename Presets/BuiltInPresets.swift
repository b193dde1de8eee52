/// liveedit's own presets, compiled in: no file needs to be found at run time.
public enum BuiltInPresets {
  /// Each preset's name with its JSON, in the order in which they are listed.
  public static let files: [(name: String, json: [UInt8])] = [
    ("natural", PackageResources.natural_json),
    ("vivid", PackageResources.vivid_json),
    ("warm", PackageResources.warm_json),
    ("cool", PackageResources.cool_json),
    ("faded", PackageResources.faded_json),
    ("matte", PackageResources.matte_json),
    ("high-contrast", PackageResources.high_contrast_json),
    ("soft", PackageResources.soft_json),
    ("backlight", PackageResources.backlight_json),
    ("landscape", PackageResources.landscape_json),
    ("clear-air", PackageResources.clear_air_json),
    ("deep-blue", PackageResources.deep_blue_json),
    ("autumn", PackageResources.autumn_json),
    ("skin", PackageResources.skin_json),
    ("food", PackageResources.food_json),
    ("night", PackageResources.night_json),
    ("golden-hour", PackageResources.golden_hour_json),
    ("blue-hour", PackageResources.blue_hour_json),
    ("slide-film", PackageResources.slide_film_json),
    ("cinema", PackageResources.cinema_json),
    ("mono", PackageResources.mono_json),
    ("mono-soft", PackageResources.mono_soft_json),
    ("mono-dramatic", PackageResources.mono_dramatic_json),
    ("mono-red-filter", PackageResources.mono_red_filter_json),
    ("sepia", PackageResources.sepia_json),
  ]
}
