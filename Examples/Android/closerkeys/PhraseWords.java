package closerkeys;

/** The 256 words of which a new phrase is made. No reader refuses a phrase because of its words. */
final class PhraseWords {
    static final String[] ALL = (
        "actor almond amber anchor apron arrow artist atlas attic avenue badge baker balcony banana banjo "
        + "barrel basket beacon beaver bench bicycle blanket branch bread brick broom brush bucket butter cabin "
        + "camera candle canoe canvas carpet carrot castle cedar cello chair chalk cheese cherry chess chimney "
        + "citrus cliff clock cloud clover cocoa coffee comet compass copper coral cotton cradle crane crayon "
        + "cricket crown curtain dance desert dolphin donkey dragon dream eagle earth easel elbow emerald "
        + "evening fabric falcon feather fence ferry fiddle field finger flame flower flute forest frost fruit "
        + "galaxy garlic gecko glove golden goose grass gravel green guitar hazel heart hedge helmet honey "
        + "horizon house humming husky igloo indigo insect island ivory jacket jaguar jasmine jelly jewel "
        + "jigsaw journal juice jungle juniper kayak kitchen koala lagoon lantern letter lilac linen lizard "
        + "llama lobster lotus lunch magnet mango maple marble market meadow melody mirror morning motor museum "
        + "music needle night noodle nutmeg oasis ocean olive onion orange orbit orchard origami otter oyster "
        + "painter palace panda parade peach peanut pearl pebble pencil pepper piano picnic pilot planet plaza "
        + "polar poppy potato puddle puffin pumpkin puppet puzzle quartz quilt rabbit radio raven river rocket "
        + "rowing saddle salad sandal scarf school sheep shell silver sister skate spinach spiral spoon spring "
        + "spruce square statue stone story straw street summer sweater swing table teapot tennis thimble "
        + "thunder ticket tiger timber toast tomato torch tower trail trumpet tunnel turtle unicorn valley "
        + "vanilla velvet village violet volcano voyage waffle wagon walnut walrus water wheat wheel whistle "
        + "willow window winter yellow zebra zephyr zigzag"
    ).split(" ");

    private PhraseWords() {}
}
