// Memorable file names for plans: two words drawn from a number, so the same seed gives the same name.

const qualities =
  "amber bold brave bright brisk calm clear clever cosy crisp eager early fair fine fleet fond fresh gentle glad grand happy keen kind lively lucid mellow merry mild neat noble patient plain proud quick quiet rapid ready rosy round sharp silent sleek smooth snug solid steady still sunny swift tidy trim vivid warm wise witty".split(
    " ",
  );
const things =
  "acorn anchor apple badger basin beacon birch bridge brook canyon cedar cliff cloud comet coral crane creek delta dune falcon fern field finch fjord forest fox garden geyser glacier grove harbor hawk heron hill island ivy lagoon lake lantern lark maple marsh meadow mesa moon moss oak ocean orchid otter owl peak pebble pine plover pond prairie reef ridge river robin sail shore sparrow spring star stone stream summit thicket tide trail valley willow wren".split(
    " ",
  );

/** Two words joined by "-", chosen by two numbers in [0, 1). */
export const planName = (first: number, second: number): string =>
  `${qualities[Math.floor(first * qualities.length)]}-${things[Math.floor(second * things.length)]}`;
