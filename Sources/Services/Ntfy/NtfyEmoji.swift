/// The signs of the usual tags (docs.ntfy.sh/emojis): ntfy puts them in front of the title.
enum NtfyEmoji {
  static let signs: [String: String] = {
    var signs: [String: String] = [:]
    for line in table.split(whereSeparator: \.isNewline) {
      let words = line.split(separator: " ")
      guard let sign = words.first else { continue }
      for name in words.dropFirst() { signs[String(name)] = String(sign) }
    }
    return signs
  }()

  /// A sign, and its names.
  private static let table = """
    👍 +1 thumbsup
    👎 -1 thumbsdown
    👌 ok_hand
    👏 clap
    🙏 pray
    👋 wave
    👀 eyes
    💪 muscle
    🤞 crossed_fingers
    😀 grinning
    😃 smiley
    😄 smile
    😁 grin
    😂 joy
    🤣 rofl
    🙂 slightly_smiling_face
    😉 wink
    😊 blush
    😍 heart_eyes
    😎 sunglasses
    🤔 thinking
    😐 neutral_face
    😕 confused
    😢 cry
    😭 sob
    😡 rage pout
    😱 scream
    😴 sleeping
    🤯 exploding_head
    🥳 partying_face
    🤖 robot
    👻 ghost
    💀 skull
    ☠️ skull_and_crossbones
    👽 alien
    💩 hankey poop shit
    ❤️ heart
    💔 broken_heart
    💚 green_heart
    💙 blue_heart
    💛 yellow_heart
    💯 100
    💥 boom collision
    💤 zzz
    🔥 fire
    ✨ sparkles
    🎉 tada
    🎊 confetti_ball
    🎂 birthday
    🎁 gift
    🏆 trophy
    🥇 1st_place_medal
    🎯 dart
    ⭐ star
    🌟 star2
    ☀️ sunny
    ☁️ cloud
    🌧️ cloud_with_rain
    ⛈️ cloud_with_lightning_and_rain
    🌩️ cloud_with_lightning
    ❄️ snowflake
    ☔ umbrella
    🌪️ tornado
    🌊 ocean
    🌡️ thermometer
    🌍 earth_africa
    🌎 earth_americas
    🌏 earth_asia
    🌙 crescent_moon
    ⚡ zap
    💧 droplet
    🐛 bug
    🐞 lady_beetle
    🐶 dog
    🐱 cat
    🐭 mouse
    🐦 bird
    🐧 penguin
    🐢 turtle
    🐍 snake
    🐳 whale
    🦊 fox_face
    🦆 duck
    🐝 bee honeybee
    🌱 seedling
    🌲 evergreen_tree
    🌳 deciduous_tree
    🍎 apple
    🍕 pizza
    🍺 beer
    🍻 beers
    ☕ coffee
    🍽️ plate_with_cutlery
    ✅ white_check_mark
    ✔️ heavy_check_mark
    ☑️ ballot_box_with_check
    ❌ x
    ❎ negative_squared_cross_mark
    ❗ exclamation heavy_exclamation_mark
    ❓ question
    ❕ grey_exclamation
    ❔ grey_question
    ‼️ bangbang
    ⚠️ warning
    🚨 rotating_light
    🚩 triangular_flag_on_post
    🚫 no_entry_sign
    ⛔ no_entry
    🛑 stop_sign
    🆘 sos
    🆗 ok
    🆕 new
    🆙 up
    ℹ️ information_source
    🔴 red_circle
    🟠 orange_circle
    🟡 yellow_circle
    🟢 green_circle
    🔵 large_blue_circle
    🟣 purple_circle
    ⚫ black_circle
    ⚪ white_circle
    🟥 red_square
    🟩 green_square
    🔺 small_red_triangle
    🔻 small_red_triangle_down
    ⬆️ arrow_up
    ⬇️ arrow_down
    ➡️ arrow_right
    ⬅️ arrow_left
    🔄 arrows_counterclockwise
    🔁 repeat
    ➕ heavy_plus_sign
    ➖ heavy_minus_sign
    ▶️ arrow_forward
    ⏸️ pause_button
    ⏹️ stop_button
    ⏩ fast_forward
    ⏰ alarm_clock
    ⏱️ stopwatch
    ⏳ hourglass_flowing_sand
    ⌛ hourglass
    ⌚ watch
    📅 date
    📆 calendar
    🔔 bell
    🔕 no_bell
    📢 loudspeaker
    📣 mega
    🔊 loud_sound
    🔇 mute
    📧 e-mail email
    ✉️ envelope
    📨 incoming_envelope
    📩 envelope_with_arrow
    📥 inbox_tray
    📤 outbox_tray
    📬 mailbox_with_mail
    📦 package
    💬 speech_balloon
    💭 thought_balloon
    📝 memo pencil
    ✏️ pencil2
    📄 page_facing_up
    📁 file_folder
    📂 open_file_folder
    📋 clipboard
    📌 pushpin
    📎 paperclip
    🔗 link
    🔍 mag
    🔎 mag_right
    🔒 lock
    🔓 unlock
    🔐 closed_lock_with_key
    🔑 key
    🛡️ shield
    🔧 wrench
    🔨 hammer
    🛠️ hammer_and_wrench
    ⚙️ gear
    🧰 toolbox
    🧪 test_tube
    🔋 battery
    🔌 electric_plug
    💡 bulb
    🔦 flashlight
    💻 computer
    🖥️ desktop_computer
    🖨️ printer
    ⌨️ keyboard
    💾 floppy_disk
    💿 cd
    📀 dvd
    📱 iphone
    📞 telephone_receiver
    ☎️ phone telephone
    📶 signal_strength
    📡 satellite
    📷 camera
    📹 video_camera
    📺 tv
    🎬 clapper
    🎵 musical_note
    🎮 video_game
    📈 chart_with_upwards_trend
    📉 chart_with_downwards_trend
    📊 bar_chart
    💰 moneybag
    💵 dollar
    💶 euro
    💳 credit_card
    🛒 shopping_cart
    🏠 house
    🏢 office
    🏭 factory
    🏥 hospital
    🚪 door
    🛏️ bed
    🚿 shower
    🧹 broom
    🗑️ wastebasket
    🚗 car red_car
    🚌 bus
    🚆 train2
    🚲 bike
    ✈️ airplane
    🚀 rocket
    🚢 ship
    ⛽ fuelpump
    🚧 construction
    🚦 vertical_traffic_light
    🏁 checkered_flag
    🏳️ white_flag
    🏴 black_flag
    👤 bust_in_silhouette
    👥 busts_in_silhouette
    👮 cop
    👷 construction_worker
    🕵️ detective
    💊 pill
    💉 syringe
    ♻️ recycle
    🧊 ice_cube
    """
}
