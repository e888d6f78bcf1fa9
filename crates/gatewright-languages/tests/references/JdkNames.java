import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/**
 * Fills in bases and members of the classes of which a table of the JDK has only the names.
 *
 * <p>{@code java JdkNames.java jdk_c.txt [OTHER_TABLE] > new.txt}; classes that the running JDK does
 * not have, and packages that hardly anybody builds on, stay names. A table that the program made
 * with an older JDK adds the members that are gone since.
 */
class JdkNames {
    private static final List<String> LEFT = List.of("com.", "jdk.", "sun.", "netscape.",
            "java.lang.classfile", "java.lang.foreign", "javax.smartcardio", "javax.swing.plaf.metal",
            "javax.swing.plaf.multi", "javax.swing.plaf.nimbus", "javax.swing.plaf.synth");
    private static final Set<String> OF_ALL = Set.of("values", "valueOf");

    public static void main(String[] args) throws Exception {
        var older = new TreeMap<String, String>();
        if (args.length > 1) {
            String around = "";
            for (String line : Files.readAllLines(Path.of(args[1]))) {
                if (line.startsWith("== ")) around = line.substring(3);
                older.put(around + " " + line.split(" ")[0], line);
            }
        }
        String around = "";
        for (String line : Files.readAllLines(Path.of(args[0]))) {
            if (line.startsWith("== ")) around = line.substring(3);
            boolean isOpen = !line.startsWith("=") && !line.startsWith("#") && !line.contains(" ");
            String inPackage = around;
            if (isOpen && LEFT.stream().noneMatch(inPackage::startsWith)) {
                line = line(around, line, older.get(around + " " + line));
            }
            System.out.println(line);
        }
    }

    private static String line(String around, String name, String older) {
        Class<?> type;
        try {
            type = Class.forName(around + "." + name.replace('.', '$'), false, null);
        } catch (ClassNotFoundException missing) {
            return name;
        }
        var members = new TreeMap<String, String>();
        var bases = new ArrayList<String>();
        // What a base has that nobody can name belongs to the class itself.
        for (Class<?> own = type; own != null; own = own.getSuperclass()) {
            if (own != type && isVisible(own)) {
                if (own != Object.class) bases.add(0, spelt(own, around));
                break;
            }
            for (Class<?> face : own.getInterfaces()) {
                if (isVisible(face)) bases.add(spelt(face, around));
                else add(members, face, around);
            }
            add(members, own, around);
        }
        if (older != null) {
            String[] words = older.split(" ");
            for (int i = 2; i < words.length; i++) members.putIfAbsent(words[i].split(":")[0], "");
        }
        var line = new StringBuilder(name + " " + (bases.isEmpty() ? "-" : String.join(",", bases)));
        members.forEach((member, given) -> line.append(' ').append(member)
                .append(given.isEmpty() ? "" : ":" + given));
        return line.toString();
    }

    private static void add(TreeMap<String, String> members, Class<?> type, String around) {
        for (var field : type.getDeclaredFields()) {
            if (isVisible(field.getModifiers()) && !field.isSynthetic()) {
                note(members, field.getName(), given(field.getType(), field.getGenericType(), around));
            }
        }
        for (Method method : type.getDeclaredMethods()) {
            boolean isListed = isVisible(method.getModifiers()) && !method.isSynthetic();
            if (isListed && !(type.isEnum() && OF_ALL.contains(method.getName()))) {
                note(members, method.getName(),
                        given(method.getReturnType(), method.getGenericReturnType(), around));
            }
        }
        if (type.isEnum()) OF_ALL.forEach(name -> note(members, name, ""));
    }

    private static void note(TreeMap<String, String> members, String name, String given) {
        members.merge(name, given, (known, other) -> known.equals(other) ? known : "");
    }

    /** The type that is given: `-` for what is no object, nothing for what is not plain. */
    private static String given(Class<?> type, java.lang.reflect.Type whole, String around) {
        if (type.isPrimitive()) return "-";
        boolean isPlain = !type.isArray() && isVisible(type)
                && !(whole instanceof java.lang.reflect.TypeVariable);
        return isPlain ? spelt(type, around) : "";
    }

    private static String spelt(Class<?> type, String around) {
        String home = type.getPackageName();
        String whole = type.getCanonicalName();
        boolean isNear = home.equals(around) || home.equals("java.lang");
        return isNear ? whole.substring(home.length() + 1) : whole;
    }

    private static boolean isVisible(Class<?> type) {
        for (Class<?> it = type; it != null; it = it.getDeclaringClass()) {
            if (!isVisible(it.getModifiers())) return false;
        }
        return true;
    }

    private static boolean isVisible(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }
}
