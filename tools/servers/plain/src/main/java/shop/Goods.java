package shop;

/// The responses of all shops.
final class Goods {

    private static volatile long sink;

    private Goods() {}

    static String item(String path) {
        String id = path.substring(path.lastIndexOf('/') + 1);
        return "{\"ID\":" + id + ",\"NAME\":\"item " + id + "\"}";
    }

    /// 50 ms of computing.
    static String burn() {
        long end = System.nanoTime() + 50_000_000;
        long x = 1;
        while (System.nanoTime() < end) {
            for (int i = 0; i < 1_000; i++) {
                x = x * 6_364_136_223_846_793_005L + i;
            }
        }
        sink = x;
        return "burnt";
    }

    static String answer(String path) {
        return path.startsWith("/burn") ? burn() : item(path);
    }
}
