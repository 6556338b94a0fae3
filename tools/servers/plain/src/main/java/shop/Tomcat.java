package shop;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import org.apache.catalina.core.StandardVirtualThreadExecutor;

/// Tomcat, a virtual thread for each request: `Tomcat PORT`.
public final class Tomcat {

    private Tomcat() {}

    public static void main(String[] args) throws Exception {
        var tomcat = new org.apache.catalina.startup.Tomcat();
        tomcat.setBaseDir(Files.createTempDirectory("shop").toString());
        tomcat.setPort(Integer.parseInt(args[0]));
        var executor = new StandardVirtualThreadExecutor();
        executor.start();
        tomcat.getConnector().getProtocolHandler().setExecutor(executor);
        var context = tomcat.addContext("", null);
        org.apache.catalina.startup.Tomcat.addServlet(context, "shop", new HttpServlet() {
            @Override
            protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                response.getWriter().print(Goods.answer(request.getRequestURI()));
            }
        });
        context.addServletMappingDecoded("/*", "shop");
        tomcat.start();
        System.out.println("shop open");
        tomcat.getServer().await();
    }
}
